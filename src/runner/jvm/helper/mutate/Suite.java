package mutate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What all listeners share: which test runs, what it reached, who has to be told. One at a time, whatever the framework. */
final class Suite {
    private final Path folder;
    private final Wish wish;
    private final Report report;
    private final Set<String> seen = new LinkedHashSet<>();
    private final Map<String, Long> began = new HashMap<>();
    private final Deque<Scope> scopes = new ArrayDeque<>();
    private final Set<Integer> whileLoading = new TreeSet<>();
    private String running;
    private boolean over;
    /** What this process says at its end, if it is one of several. */
    private Path part;

    /** A class, or a part of one, with what was reached in it outside of its tests. */
    private static final class Scope {
        final String name;
        final Set<String> tests = new LinkedHashSet<>();
        final Set<Integer> probes = new TreeSet<>();

        Scope(String name) {
            this.name = name;
        }
    }

    Suite(Path folder) throws IOException {
        this.folder = folder;
        wish = new Wish(folder);
        report = new Report(folder);
        Probe.attend();
        Runtime.getRuntime().addShutdownHook(new Thread(this::cutShort));
    }

    Wish wish() {
        return wish;
    }

    Report report() {
        return report;
    }

    synchronized void openScope(String name) {
        collectOutside();
        scopes.push(new Scope(name));
    }

    synchronized void closeScope() {
        collectOutside();
        Scope scope = scopes.pop();
        report.reach(scope.tests, scope.probes);
        if (!scopes.isEmpty()) {
            scopes.peek().tests.addAll(scope.tests);
        }
    }

    synchronized void begin(String id) {
        collectOutside();
        running = id;
        began.put(id, System.nanoTime());
        if (wish.wants(id)) {
            report.start(id);
        }
    }

    void passed(String id) {
        end(id, "passed", "null");
    }

    void skipped(String id) {
        end(id, "skipped", "null");
    }

    void failed(String id, Throwable why, String phase) {
        end(id, "failed", Report.failure(why, phase));
    }

    private synchronized void end(String id, String status, String failure) {
        if (over) {
            return;
        }
        Long start = began.remove(id);
        long micros = start == null ? 0 : (System.nanoTime() - start) / 1000;
        // Before anybody hears of the test: what it reached belongs to it.
        collect(id);
        running = null;
        seen.add(id);
        if (!scopes.isEmpty()) {
            scopes.peek().tests.add(id);
        }
        if (wish.wants(id)) {
            report.result(id, status, micros, failure);
            if (wish.bail && status.equals("failed")) {
                finish(false);
                leave();
            }
        }
    }

    /** A class that fails as a whole: its tests that have not run fail with it, or else the last that has. */
    void failedAround(String name, Collection<String> tests, Throwable why) {
        List<String> left = new ArrayList<>(tests);
        left.removeAll(seen);
        left.removeIf(id -> !wish.wants(id));
        for (String id : left) {
            failed(id, why, "setup");
        }
        if (left.isEmpty()) {
            String last = null;
            for (String test : scopes.isEmpty() ? Collections.<String>emptySet() : scopes.peek().tests) {
                last = test;
            }
            if (last != null && wish.wants(last)) {
                failed(last, why, "teardown");
            } else {
                String kind = why == null ? "" : why.getClass().getSimpleName();
                report.loadFailure(name, kind, why == null ? "" : String.valueOf(why.getMessage()), null, false);
            }
        }
    }

    /** The end of the run in good order. */
    synchronized void finish(boolean whole) {
        if (over) {
            return;
        }
        over = true;
        collectOutside();
        report.reach(null, whileLoading);
        if (whole && wish.only != null) {
            List<String> missing = new ArrayList<>(wish.only);
            missing.removeAll(seen);
            if (!missing.isEmpty()) {
                report.missing(missing);
            }
        }
        report.finished();
    }

    /** The end of one of several processes: whoever started them says what is missing, and whether all came to their end. */
    synchronized void finishPart() {
        if (over) {
            return;
        }
        over = true;
        collectOutside();
        report.reach(null, whileLoading);
        Lines lines = new Lines();
        seen.forEach(id -> lines.add("seen", id));
        try {
            part = part == null ? Files.createTempFile(folder, "done-", ".lines") : part;
            lines.write(part);
        } catch (IOException unwritable) {
            // Then this process has not come to its end.
        }
    }

    /** Another plan begins in this process: it has not come to its end yet. */
    synchronized void reopen() {
        over = false;
        if (part != null) {
            part.toFile().delete();
            part = null;
        }
    }

    /** Ends the process, even if a shutdown hook of the project waits for ever. */
    static void leave() {
        Thread watch = new Thread(() -> {
            try {
                Thread.sleep(2000);
            } catch (InterruptedException early) {
                // Then it is time as well.
            }
            Runtime.getRuntime().halt(0);
        });
        watch.setDaemon(true);
        watch.start();
        System.exit(0);
    }

    /** Code under test has ended the process: the test that ran has not passed. */
    private synchronized void cutShort() {
        if (over) {
            return;
        }
        String why = "the process was ended in the middle of it";
        if (running != null && wish.wants(running)) {
            report.result(running, "failed", 0, Report.failure("Exit", why, "call"));
        } else if (running == null && !scopes.isEmpty()) {
            report.loadFailure(scopes.peek().name, "Exit", why, null, false);
        }
    }

    private void collect(String id) {
        boolean[][] reached = reached();
        add(reached[0], whileLoading);
        Set<Integer> probes = new TreeSet<>();
        add(reached[1], probes);
        report.reach(Collections.singleton(id), probes);
    }

    private void collectOutside() {
        boolean[][] reached = reached();
        add(reached[0], whileLoading);
        add(reached[1], scopes.isEmpty() ? whileLoading : scopes.peek().probes);
    }

    private static void add(boolean[] from, Set<Integer> to) {
        for (int probe = 0; probe < from.length; probe++) {
            if (from[probe]) {
                to.add(probe);
            }
        }
    }

    private boolean[][] reached() {
        if (!wish.reach) {
            return new boolean[2][0];
        }
        boolean[][] reached = Probe.drain();
        reached[1] = withChildren(reached[1]);
        return reached;
    }

    /** Adds what processes have reached that tests have started. */
    private boolean[] withChildren(boolean[] own) {
        Path file = folder.resolve("hits").resolve("hits");
        if (!Files.exists(file)) {
            return own;
        }
        boolean[] all = own;
        try {
            List<String> lines = Files.readAllLines(file);
            Files.delete(file);
            for (String line : lines) {
                int probe = Integer.parseInt(line);
                all = probe < all.length ? all : java.util.Arrays.copyOf(all, probe + 1);
                all[probe] = true;
            }
        } catch (IOException | NumberFormatException damaged) {
            report.notice("what a started process reached could not be read");
        }
        return all;
    }
}
