package mutate;

import java.nio.file.Path;
import java.nio.file.Paths;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/** Found by the JUnit Platform in a process that the build has started. */
public final class PlatformService implements PostDiscoveryFilter {
    private static Suite suite;
    private static TestPlan current;

    static synchronized Suite suite() {
        if (suite == null) {
            Path folder = Paths.get(System.getenv("MUTATE_FOLDER"));
            try {
                Describe.to(folder, TestExecutionListener.class);
                suite = new Suite(folder);
            } catch (java.io.IOException why) {
                throw new java.io.UncheckedIOException(why);
            }
        }
        return suite;
    }

    @Override
    public FilterResult apply(TestDescriptor test) {
        return new PlatformFilter(suite().wish()).apply(test);
    }

    /** The listener. Tests may start a platform of their own, with another listener: only the outermost plan is the project's. */
    public static final class Listener extends PlatformListener {
        public Listener() {
            super(PlatformService.suite());
        }

        @Override
        public void testPlanExecutionStarted(TestPlan plan) {
            if (current == null) {
                current = plan;
                suite.reopen();
                super.testPlanExecutionStarted(plan);
            }
        }

        @Override
        public void testPlanExecutionFinished(TestPlan plan) {
            if (current == plan) {
                current = null;
                end();
                suite.finishPart();
            }
        }
    }
}
