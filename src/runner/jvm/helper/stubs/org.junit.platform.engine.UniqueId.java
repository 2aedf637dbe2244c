package org.junit.platform.engine;

public class UniqueId {
    public static UniqueId parse(String text) {
        return null;
    }

    public java.util.List<Segment> getSegments() {
        return null;
    }

    public static class Segment {
        public String getType() {
            return null;
        }

        public String getValue() {
            return null;
        }
    }
}
