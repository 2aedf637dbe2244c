package org.junit.platform.launcher.core;

import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.Filter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;

public final class LauncherDiscoveryRequestBuilder {
    public static LauncherDiscoveryRequestBuilder request() {
        return null;
    }

    public LauncherDiscoveryRequestBuilder selectors(java.util.List<? extends DiscoverySelector> selectors) {
        return this;
    }

    public LauncherDiscoveryRequestBuilder filters(Filter<?>... filters) {
        return this;
    }

    public LauncherDiscoveryRequestBuilder configurationParameter(String key, String value) {
        return this;
    }

    public LauncherDiscoveryRequest build() {
        return null;
    }
}
