package org.junit.platform.launcher;

public final class TestIdentifier {
    public String getUniqueId() {
        return null;
    }

    public boolean isTest() {
        return false;
    }

    public java.util.Optional<String> getParentId() {
        return null;
    }
}
