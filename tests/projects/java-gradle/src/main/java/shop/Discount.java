package shop;

public final class Discount {
    private Discount() {}

    public static int percent(int total, boolean member) {
        if (member && total > 100) {
            return 10;
        }
        return 0;
    }
}
