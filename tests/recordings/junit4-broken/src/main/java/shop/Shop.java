package shop;

public class Shop {
    public static int total(int a, int b) { return a + c; }
}
