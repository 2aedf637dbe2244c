package shop;

import static org.junit.Assert.*;

import org.junit.*;

public class ShopTest {
    @Test public void passes() { assertEquals(3, Shop.total(1, 2)); }
    @Test public void fails() { assertEquals(4, Shop.total(1, 2)); }
    @Test public void throwsAnError() { throw new IllegalStateException("no till"); }
    @Test(expected = IllegalStateException.class) public void expected() { throw new IllegalStateException(); }
    @Ignore @Test public void skipped() { fail(); }
    @Test public void assumes() { Assume.assumeTrue(false); }
}
