package org.junit.runner.notification;

import org.junit.runner.Description;

public class RunListener {
    public void testStarted(Description test) throws Exception {}

    public void testFinished(Description test) throws Exception {}

    public void testFailure(Failure failure) throws Exception {}

    public void testAssumptionFailure(Failure failure) {}

    public void testIgnored(Description test) throws Exception {}
}
