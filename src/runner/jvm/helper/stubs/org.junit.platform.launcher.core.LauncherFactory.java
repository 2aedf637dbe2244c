package org.junit.platform.launcher.core;

public class LauncherFactory {
    public static org.junit.platform.launcher.Launcher create() {
        return null;
    }
}
