package mutate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file of lines, each a key and values between tabs; a backslash protects backslash, tab, line feed and carriage return. */
final class Lines {
    private final List<String[]> lines = new ArrayList<>();

    static Lines read(Path file) throws IOException {
        Lines read = new Lines();
        for (String line : new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n")) {
            if (!line.isEmpty()) {
                String[] parts = line.split("\t", -1);
                for (int at = 0; at < parts.length; at++) {
                    parts[at] = plain(parts[at]);
                }
                read.lines.add(parts);
            }
        }
        return read;
    }

    void write(Path file) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String[] line : lines) {
            for (int at = 0; at < line.length; at++) {
                text.append(at == 0 ? "" : "\t").append(escaped(line[at]));
            }
            text.append('\n');
        }
        Files.write(file, text.toString().getBytes(StandardCharsets.UTF_8));
    }

    void add(String... line) {
        lines.add(line);
    }

    void add(Lines others) {
        lines.addAll(others.lines);
    }

    List<String[]> all(String key) {
        List<String[]> found = new ArrayList<>();
        for (String[] line : lines) {
            if (line[0].equals(key)) {
                found.add(line);
            }
        }
        return found;
    }

    List<String> values(String key) {
        List<String> values = new ArrayList<>();
        for (String[] line : all(key)) {
            values.add(line[1]);
        }
        return values;
    }

    String value(String key) {
        List<String> values = values(key);
        return values.isEmpty() ? null : values.get(0);
    }

    boolean has(String key) {
        return value(key) != null;
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r");
    }

    private static String plain(String text) {
        StringBuilder plain = new StringBuilder();
        for (int at = 0; at < text.length(); at++) {
            char letter = text.charAt(at);
            if (letter == '\\' && at + 1 < text.length()) {
                letter = text.charAt(++at);
                letter = letter == 't' ? '\t' : letter == 'n' ? '\n' : letter == 'r' ? '\r' : letter;
            }
            plain.append(letter);
        }
        return plain.toString();
    }
}
