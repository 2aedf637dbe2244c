package shop;

/** What somebody wants to buy. */
public final class Cart {
    private static final int FREE_FROM = 50;

    private int total;

    public void add(int price, int count) {
        for (int i = 0; i < count; i++) {
            total += price;
        }
    }

    public int total() {
        return total;
    }

    public int shipping() {
        if (total >= FREE_FROM) {
            return 0;
        }
        return 5;
    }

    public String label(String name) {
        String text;
        if (total > 0) {
            text = name + ": " + total;
        } else {
            text = name;
        }
        return text;
    }

    /** No test calls it. */
    public boolean isLarge() {
        return total > 1000;
    }
}
