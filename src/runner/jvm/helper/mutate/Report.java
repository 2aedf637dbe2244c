package mutate;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;

/** Writes events as lines of JSON, each at once and in one piece, so that the report is complete up to the death of the process. */
final class Report {
    private static final int LONGEST = 500;
    private final OutputStream out;

    Report(Path folder) throws IOException {
        out = new FileOutputStream(folder.resolve("report.jsonl").toFile(), true);
    }

    void start(String id) {
        write("{\"event\":\"start\",\"id\":" + quoted(id) + "}");
    }

    void result(String id, String status, long micros, String failure) {
        write("{\"event\":\"result\",\"id\":" + quoted(id) + ",\"status\":\"" + status + "\",\"us\":" + micros
            + ",\"failure\":" + failure + "}");
    }

    void loadFailure(String id, String kind, String message, String file, boolean refused) {
        write("{\"event\":\"load_failure\",\"id\":" + quoted(id) + ",\"kind\":" + quoted(kind) + ",\"message\":"
            + quoted(cut(message)) + ",\"file\":" + quoted(file) + ",\"refused\":" + refused + "}");
    }

    void reach(Collection<String> tests, Collection<Integer> probes) {
        if (!probes.isEmpty()) {
            write("{\"event\":\"reach\",\"tests\":" + (tests == null ? "null" : quoted(tests)) + ",\"probes\":" + probes + "}");
        }
    }

    void collected(Collection<String> ids) {
        write("{\"event\":\"collected\",\"ids\":" + quoted(ids) + "}");
    }

    void missing(Collection<String> ids) {
        write("{\"event\":\"missing\",\"ids\":" + quoted(ids) + "}");
    }

    void notice(String text) {
        write("{\"event\":\"notice\",\"text\":" + quoted(text) + "}");
    }

    /** Time that this run has taken and no later one will. */
    void prepared(long micros) {
        write("{\"event\":\"prepared\",\"us\":" + micros + "}");
    }

    void finished() {
        write("{\"event\":\"finished\"}");
    }

    /** A failure as the report wants it; the phase is {@code call} for the test itself. */
    static String failure(Throwable failure, String phase) {
        String kind = failure == null ? "" : failure.getClass().getName();
        String message;
        try {
            message = failure == null ? "" : failure.getMessage();
        } catch (Throwable broken) {
            message = "";
        }
        return failure(kind, message, phase);
    }

    static String failure(String kind, String message, String phase) {
        String shortKind = kind.substring(kind.lastIndexOf('.') + 1);
        return "{\"kind\":" + quoted(shortKind) + ",\"message\":" + quoted(cut(message == null ? "" : message))
            + ",\"file\":null,\"phase\":" + quoted(phase) + "}";
    }

    private synchronized void write(String line) {
        try {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException unwritable) {
            // A report that ends early proves nothing, and that is what it is.
        }
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    }

    private static String quoted(Collection<String> texts) {
        StringBuilder list = new StringBuilder("[");
        for (String text : texts) {
            list.append(list.length() > 1 ? "," : "").append(quoted(text));
        }
        return list.append(']').toString();
    }

    private static String quoted(String text) {
        if (text == null) {
            return "null";
        }
        StringBuilder quoted = new StringBuilder("\"");
        for (int at = 0; at < text.length(); at++) {
            char letter = text.charAt(at);
            boolean paired = Character.isHighSurrogate(letter) && at + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(at + 1));
            if (paired) {
                quoted.append(letter).append(text.charAt(++at));
            } else if (Character.isSurrogate(letter)) {
                quoted.append("\\ufffd");
            } else if (letter == '"' || letter == '\\') {
                quoted.append('\\').append(letter);
            } else if (letter < ' ') {
                quoted.append(String.format("\\u%04x", (int) letter));
            } else {
                quoted.append(letter);
            }
        }
        return quoted.append('"').toString();
    }
}
