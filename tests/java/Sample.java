import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** What is easy to get wrong, as a program. */
class Sample extends ArrayList<String> implements Comparable<Sample> {
    static final int LIMIT = 1 + 2;
    private static final Map<String, Integer> SIZES;
    private final int size;
    private String name = "a" + LIMIT;
    private int[] counts = {1, -2, 3};
    private final Function<Integer, Integer> twice = x -> x * 2;

    static {
        SIZES = new java.util.HashMap<>();
        SIZES.put("one", LIMIT - 2);
    }

    private final long stamp;

    {
        this.stamp = 5L;
    }

    Sample(int size) {
        super(size + 1);
        this.size = size;
        counts[0] += size;
        add(name);
    }

    Sample() {
        this(LIMIT * 2);
    }

    int unassigned(int a) {
        int x;
        if (a == 1) x = 1; else if (a > 2) x = 2; else x = 3;
        final int y;
        switch (a) {
            case 1 + 2:
                y = x + 1;
                break;
            case 4: {
                y = 2;
                break;
            }
            default:
                y = a - x;
        }
        return x + y;
    }

    static int read(Reader in) throws IOException {
        int c;
        int sum = 0;
        while ((c = in.read()) != -1) {
            if (c == ' ' || c == '\t') continue;
            sum += c;
        }
        return sum + c;
    }

    String line(java.io.BufferedReader in, boolean strict) {
        String line;
        try {
            if ((line = in.readLine()) == null || line.isEmpty()) {
                return null;
            }
            in.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } finally {
            clear();
        }
        return strict ? line.trim() : line + name;
    }

    boolean caught(Reader in) {
        try {
            if (in.ready()) {
                return true;
            }
        } catch (IOException e) {
            return false;
        }
        return size > 0;
    }

    int endless(int n) {
        while (true) {
            if (n > 10) {
                return n;
            }
            n++;
        }
    }

    int forever(List<Integer> list) {
        for (;;) {
            for (int x : list) if (x < 0) return x; else add("x");
            outer:
            for (int i = 0; i < list.size(); i++) {
                for (int j = i; j > 0; --j) {
                    if (list.get(j) == i) continue outer;
                    if (j % 2 == 0) break;
                }
            }
            do clear(); while (isEmpty() && size != 0);
            if (list.isEmpty()) throw new IllegalStateException();
        }
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) return true;
        if (!(other instanceof Sample that)) {
            return false;
        }
        return that.size == size && super.equals(other);
    }

    @Override
    public int hashCode() {
        return 31 * size;
    }

    @Override
    public int compareTo(Sample other) {
        return size < other.size ? -1 : size == other.size ? 0 : 1;
    }

    int arrows(String key) {
        int length = switch (key) {
            case "a", "b" -> key.length() + 1;
            case "c" -> {
                clear();
                yield 3;
            }
            default -> throw new IllegalArgumentException(key);
        };
        switch (length) {
            case 1 -> add("one");
            case 2 -> { if (size > 3) add("two"); }
            default -> { }
        }
        return length;
    }

    Predicate<String> lambdas(List<String> list) {
        Runnable first = () -> add("x");
        Runnable second = () -> { add("y"); clear(); };
        list.forEach(x -> { if (x.startsWith("a")) second.run(); });
        first.run();
        long count = list.stream().filter(x -> x.length() > 2).skip(1).map(x -> { return x.trim(); }).count();
        Object made = new Object() {
            int field = LIMIT - 1;

            @Override
            public String toString() { return "x" + field + count; }

            boolean check() { return field > 2; }
        };
        return x -> { return x.isEmpty() || made.equals(x); };
    }

    byte[] bits(byte b, char c, long l, int n) {
        int mask = n & 0xFF | b << 2 ^ (int) (l >>> 3);
        c += 1;
        mask <<= 2;
        mask |= ~n;
        char upper = (char) (c - 32);
        synchronized (this) {
            counts[n - 1] = -mask;
        }
        return new byte[] {(byte) (b + 1), (byte) upper};
    }

    List<String> names() { return new ArrayList<>(this); }

    Optional<String> head() { return isEmpty() ? Optional.empty() : Optional.of(get(0)); }

    <T extends Comparable<T>> T larger(T a, T b) { return a.compareTo(b) >= 0 ? a : b; }

    Boolean flag(boolean on) { return !on; }

    Character letter() { return name.charAt(0); }

    int[] old()[] { return new int[][] {counts}; }

    boolean both(Object a, Object b) { return a instanceof String == b instanceof String; }

    int always() throws IOException {
        clear();
        throw new IOException(name + size);
    }

    enum Kind {
        ONE(1) {
            @Override
            int weight() { return 2 * super.weight(); }
        },
        TWO(2 + 3);

        private final int weight;

        Kind(int weight) { this.weight = weight; }

        int weight() { return weight + 1; }
    }

    record Pair(int x, String y) {
        Pair {
            if (x < 0) {
                throw new IllegalArgumentException(y + x);
            }
            y = y.strip();
        }

        static Pair of(int x) { return new Pair(x, "p" + x); }

        int sum() { return x + y.length(); }
    }

    interface Shape {
        int SIDES = 2 + 1;

        double area();

        default double twice() { return area() * 2; }
    }
}
