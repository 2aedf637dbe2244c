package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class DiscountTest {
    @Test
    public void aMemberGetsADiscountForALargeTotal() {
        assertEquals(10, Discount.percent(200, true));
    }

    @Test
    public void anybodyElseGetsNone() {
        assertEquals(0, Discount.percent(200, false));
        assertEquals(0, Discount.percent(20, true));
    }
}
