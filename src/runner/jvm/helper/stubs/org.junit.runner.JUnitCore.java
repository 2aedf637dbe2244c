package org.junit.runner;

import org.junit.runner.notification.RunListener;

public class JUnitCore {
    public void addListener(RunListener listener) {}

    public Result run(Request request) {
        return null;
    }
}
