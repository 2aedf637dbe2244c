package org.junit.runner;

public class Description {
    public String getMethodName() {
        return null;
    }

    public String getClassName() {
        return null;
    }

    public boolean isTest() {
        return false;
    }

    public java.util.ArrayList<Description> getChildren() {
        return null;
    }
}
