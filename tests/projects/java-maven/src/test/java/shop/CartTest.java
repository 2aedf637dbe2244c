package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CartTest {
    private Cart cart;

    @BeforeEach
    void empty() {
        cart = new Cart();
    }

    @ParameterizedTest
    @CsvSource({"3, 1, 3", "3, 2, 6"})
    void addsUp(int price, int count, int total) {
        cart.add(price, count);
        assertEquals(total, cart.total());
    }

    @Test
    void hasALabel() {
        assertEquals("empty", cart.label("empty"));
        cart.add(7, 1);
        assertEquals("one: 7", cart.label("one"));
    }

    @Nested
    class Shipping {
        @Test
        void costsForASmallCart() {
            cart.add(10, 1);
            assertEquals(5, cart.shipping());
        }

        @Test
        void isFreeForALargeOne() {
            cart.add(60, 1);
            assertEquals(0, cart.shipping());
        }
    }
}
