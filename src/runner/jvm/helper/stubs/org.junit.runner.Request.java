package org.junit.runner;

public abstract class Request {
    public static Request aClass(Class<?> type) {
        return null;
    }

    public static Request runner(Runner runner) {
        return null;
    }

    public abstract Runner getRunner();
}
