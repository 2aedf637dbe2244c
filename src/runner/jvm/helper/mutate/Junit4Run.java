package mutate;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.manipulation.NoTestsRemainException;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Runs tests of JUnit 4 and 3, class by class. */
final class Junit4Run {
    private Junit4Run() {}

    static void run(Suite suite, Set<String> classes) {
        for (String name : classes) {
            suite.openScope(name);
            try {
                run(suite, name);
            } finally {
                suite.closeScope();
            }
        }
    }

    private static void run(Suite suite, String name) {
        Class<?> type;
        try {
            type = Class.forName(name, false, Junit4Run.class.getClassLoader());
        } catch (Throwable why) {
            suite.failedAround(name, wanted(suite.wish(), name), why);
            return;
        }
        Runner runner = Request.aClass(type).getRunner();
        try {
            new Wanted(suite.wish()).apply(runner);
        } catch (NoTestsRemainException nothing) {
            return;
        }
        JUnitCore core = new JUnitCore();
        core.addListener(new Listener(suite));
        core.run(Request.runner(runner));
    }

    static Set<String> wanted(Wish wish, String type) {
        Set<String> ids = new LinkedHashSet<>();
        Collection<String> all = wish.only != null ? wish.only : wish.known;
        for (String id : all) {
            if (id.startsWith(type + "::")) {
                ids.add(id);
            }
        }
        return ids;
    }

    static String id(Description test) {
        String method = test.getMethodName();
        return method == null ? test.getClassName() : test.getClassName() + "::" + method;
    }

    private static final class Wanted extends Filter {
        private final Wish wish;

        Wanted(Wish wish) {
            this.wish = wish;
        }

        @Override
        public boolean shouldRun(Description test) {
            if (test.isTest()) {
                return wish.wantsMethod(id(test));
            }
            for (Description child : test.getChildren()) {
                if (shouldRun(child)) {
                    return true;
                }
            }
            return test.getChildren().isEmpty();
        }

        @Override
        public String describe() {
            return "the tests that are wanted";
        }
    }

    private static final class Listener extends RunListener {
        private final Suite suite;
        private boolean failed;

        Listener(Suite suite) {
            this.suite = suite;
        }

        @Override
        public void testStarted(Description test) {
            failed = false;
            suite.begin(id(test));
        }

        @Override
        public void testFailure(Failure failure) {
            Description test = failure.getDescription();
            if (test.isTest() && test.getMethodName() != null) {
                failed = true;
                suite.failed(id(test), failure.getException(), "call");
            } else {
                suite.failedAround(test.getClassName(), wanted(suite.wish(), test.getClassName()), failure.getException());
            }
        }

        @Override
        public void testAssumptionFailure(Failure failure) {
            Description test = failure.getDescription();
            failed = true;
            if (test.isTest()) {
                suite.skipped(id(test));
            } else {
                wanted(suite.wish(), test.getClassName()).forEach(suite::skipped);
            }
        }

        @Override
        public void testIgnored(Description test) {
            if (test.isTest() && test.getMethodName() != null) {
                suite.skipped(id(test));
            } else {
                wanted(suite.wish(), test.getClassName()).forEach(suite::skipped);
            }
        }

        @Override
        public void testFinished(Description test) {
            if (!failed) {
                suite.passed(id(test));
            }
        }
    }
}
