package org.junit.runner.manipulation;

import org.junit.runner.Description;

public abstract class Filter {
    public abstract boolean shouldRun(Description test);

    public abstract String describe();

    public void apply(Object child) throws NoTestsRemainException {}
}
