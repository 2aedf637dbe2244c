package shop;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShopTest {
    @Test void passes() { assertEquals(3, Shop.total(1, 2)); }
    @Test void fails() { assertEquals(4, Shop.total(1, 2)); }
    @Test void throwsAnError() { throw new IllegalStateException("no till"); }
    @Disabled @Test void skipped() { fail(); }
    @Test void assumes() { Assumptions.assumeTrue(false); }
    @DisplayName("a > \"b\" ' (x|y)* é") @Test void named() { }
    @ParameterizedTest @ValueSource(strings = {"a > \"b\"", "c"}) void cases(String text) { assertEquals("c", text); }
    @Nested class Inner { @Test void nested() { } }
}
