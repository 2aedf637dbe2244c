package mutate;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.Filter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs tests on the JUnit Platform by its own launcher. */
final class PlatformRun {
    private PlatformRun() {}

    static void run(Suite suite, Set<String> classes) {
        List<DiscoverySelector> selectors = new ArrayList<>();
        for (String name : classes) {
            selectors.add(DiscoverySelectors.selectClass(name));
        }
        LauncherDiscoveryRequestBuilder builder = LauncherDiscoveryRequestBuilder.request().selectors(selectors);
        builder.filters(new Filter<?>[] {new PlatformFilter(suite.wish())});
        if (suite.wish().reach) {
            builder.configurationParameter("junit.jupiter.execution.parallel.enabled", "false");
        }
        LauncherDiscoveryRequest request = builder.build();
        LauncherFactory.create().execute(request, new TestExecutionListener[] {new PlatformListener(suite)});
    }
}
