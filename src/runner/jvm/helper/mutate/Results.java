package mutate;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Files;
import java.util.LinkedHashSet;
import java.util.Set;

/** Our own report, read again only for the tests that it names. */
final class Results {
    private static final String BEGIN = "{\"event\":\"result\",\"id\":\"";

    private Results() {}

    static Set<String> ids(Path report) throws IOException {
        Set<String> ids = new LinkedHashSet<>();
        for (String line : Files.readAllLines(report)) {
            if (line.startsWith(BEGIN)) {
                ids.add(text(line.substring(BEGIN.length())));
            }
        }
        return ids;
    }

    /** Up to the closing quote. */
    private static String text(String quoted) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; quoted.charAt(at) != '"'; at++) {
            char letter = quoted.charAt(at);
            if (letter == '\\') {
                letter = quoted.charAt(++at);
                if (letter == 'u') {
                    letter = (char) Integer.parseInt(quoted.substring(at + 1, at + 5), 16);
                    at += 4;
                }
            }
            text.append(letter);
        }
        return text.toString();
    }
}
