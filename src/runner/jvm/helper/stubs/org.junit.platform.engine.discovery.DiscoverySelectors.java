package org.junit.platform.engine.discovery;

public final class DiscoverySelectors {
    public static ClassSelector selectClass(String name) {
        return null;
    }
}
