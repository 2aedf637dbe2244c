package org.junit.platform.launcher;

public class TestPlan {
    public java.util.Set<TestIdentifier> getRoots() {
        return null;
    }

    public java.util.Set<TestIdentifier> getDescendants(TestIdentifier test) {
        return null;
    }
}
