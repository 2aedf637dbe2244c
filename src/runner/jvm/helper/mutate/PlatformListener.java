package mutate;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Tells what happens on the JUnit Platform. */
class PlatformListener implements TestExecutionListener {
    final Suite suite;
    private TestPlan plan;

    PlatformListener(Suite suite) {
        this.suite = suite;
    }

    void end() {
        plan = null;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        plan = started;
        List<String> ids = new ArrayList<>();
        for (TestIdentifier root : started.getRoots()) {
            ids.addAll(testsBelow(root));
        }
        suite.report().collected(ids);
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        if (hasBegun()) {
            for (String id : testsBelow(test)) {
                suite.skipped(id);
            }
        }
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (!hasBegun()) {
            return;
        }
        if (test.isTest()) {
            suite.begin(id(test));
        } else if (hasParent(test)) {
            suite.openScope(id(test));
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (!hasBegun()) {
            return;
        }
        if (test.isTest()) {
            finishedTest(id(test), result);
        } else {
            finishedScope(test, result);
        }
    }

    private void finishedTest(String id, TestExecutionResult result) {
        switch (result.getStatus()) {
            case SUCCESSFUL:
                suite.passed(id);
                break;
            case ABORTED:
                suite.skipped(id);
                break;
            default:
                suite.failed(id, result.getThrowable().orElse(null), "call");
        }
    }

    private void finishedScope(TestIdentifier scope, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.FAILED) {
            suite.failedAround(id(scope), testsBelow(scope), result.getThrowable().orElse(null));
        } else if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
            testsBelow(scope).forEach(suite::skipped);
        }
        if (hasParent(scope)) {
            suite.closeScope();
        }
    }

    private boolean hasBegun() {
        return plan != null;
    }

    private boolean hasParent(TestIdentifier test) {
        return test.getParentId().isPresent();
    }

    /** The tests in a scope, and the parametrised ones that have no case yet. */
    private Set<String> testsBelow(TestIdentifier scope) {
        Set<String> ids = new LinkedHashSet<>();
        if (scope.isTest() || isMethod(scope)) {
            ids.add(id(scope));
        } else {
            for (TestIdentifier below : plan.getDescendants(scope)) {
                if (below.isTest() || isMethod(below) && plan.getDescendants(below).isEmpty()) {
                    ids.add(id(below));
                }
            }
        }
        return ids;
    }

    private static boolean isMethod(TestIdentifier test) {
        return isMethodSegment(UniqueId.parse(test.getUniqueId()));
    }

    static boolean isMethodSegment(UniqueId id) {
        List<UniqueId.Segment> segments = id.getSegments();
        String type = segments.get(segments.size() - 1).getType();
        return type.equals("test-template") || type.equals("test-factory") || type.equals("method");
    }

    static String id(TestIdentifier test) {
        return id(UniqueId.parse(test.getUniqueId()));
    }

    /** {@code pack.Case$Inner::method(int)[1]}; other engines: their own words, joined. */
    static String id(UniqueId unique) {
        StringBuilder id = new StringBuilder();
        boolean inside = false;
        for (UniqueId.Segment segment : unique.getSegments()) {
            String value = segment.getValue();
            switch (segment.getType()) {
                case "engine":
                    if (unique.getSegments().size() == 1) {
                        return value;
                    }
                    break;
                case "class":
                case "class-template":
                case "runner":
                    id.append(value);
                    break;
                case "nested-class":
                case "nested-class-template":
                    id.append('$').append(value);
                    break;
                default:
                    if (value.startsWith("#")) {
                        id.append('[').append(value.substring(1)).append(']');
                        break;
                    }
                    id.append(inside ? "/" : id.length() == 0 ? "" : "::").append(withoutClass(value, id));
                    inside = true;
            }
        }
        return id.toString();
    }

    /** The vintage engine says {@code method(pack.Case)}. */
    private static String withoutClass(String value, CharSequence id) {
        int end = id.toString().indexOf("::");
        String suffix = "(" + (end < 0 ? id : id.subSequence(0, end)) + ")";
        return value.endsWith(suffix) ? value.substring(0, value.length() - suffix.length()) : value;
    }
}
