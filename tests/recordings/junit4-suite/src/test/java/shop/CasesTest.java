package shop;

import static org.junit.Assert.*;

import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class CasesTest {
    @Parameterized.Parameters(name = "{0} > \"b\" (x|y)*") public static Object[] data() { return new Object[] {1, 2}; }
    @Parameterized.Parameter public int n;
    @Test public void two() { assertEquals(2, n); }
}
