package mutate;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** The word of the probes. Uses nothing but the platform, because it stands among the sources of any project. */
public final class Probe {
    private static boolean[] hits = new boolean[1024];
    /** Hits in static initialisers: these run once, whoever comes first. */
    private static boolean[] initial = new boolean[1024];
    /** Somebody in this process collects hits; else they go to a file at once. */
    private static boolean attended;

    private Probe() {}

    /** Notes that a place was reached. */
    public static boolean hit(int probe) {
        if (probe < hits.length && hits[probe]) {
            return true;
        }
        note(probe);
        return true;
    }

    private static synchronized void note(int probe) {
        if (probe >= hits.length) {
            hits = Arrays.copyOf(hits, probe * 2);
            initial = Arrays.copyOf(initial, probe * 2);
        }
        if (!hits[probe]) {
            hits[probe] = true;
            initial[probe] |= initialising();
            if (!attended) {
                append(probe);
            }
        }
    }

    private static boolean initialising() {
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            if (frame.getMethodName().equals("<clinit>")) {
                return true;
            }
        }
        return false;
    }

    /** A process that a test has started. */
    private static void append(int probe) {
        String folder = System.getenv("MUTATE_HITS");
        if (folder == null) {
            return;
        }
        try (OutputStream out = new FileOutputStream(folder + "/hits", true)) {
            out.write((probe + "\n").getBytes("US-ASCII"));
        } catch (IOException unwritable) {
            // What cannot be noted must not disturb the program.
        }
    }

    static synchronized void attend() {
        attended = true;
    }

    /** What was reached since the last call: first in static initialisers, then elsewhere. */
    static synchronized boolean[][] drain() {
        boolean[][] drained = {initial, hits};
        hits = new boolean[hits.length];
        initial = new boolean[hits.length];
        return drained;
    }
}
