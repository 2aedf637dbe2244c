package mutate;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs the tests by the project's own build, and tells what came of it.
 *
 * What the build has made earlier is deleted first: no build tool is asked to notice that a source has changed. If wanted, it then
 * writes down how the build compiles and starts its tests, and tries whether we get the same without it.
 */
public final class Build {
    private static final Pattern MAVEN_ERROR = Pattern.compile("\\[ERROR\\] (/.*\\.java):\\[(\\d+),\\d+\\] (.*)");
    /** Gradle writes the name of its task before the first one, on the same line. */
    private static final Pattern JAVAC_ERROR = Pattern.compile("(?::[^/\\s]+)?(/.*\\.java):(\\d+): error: (.*)");
    private static final Pattern SYMBOL = Pattern.compile("(?:\\[ERROR\\])?\\s+symbol:\\s+(.*)");
    /** So far behind an error it may say which symbol it means. */
    private static final int DETAILS = 5;

    private final Path folder;
    private final Path root;
    private final Lines build;
    private final Wish wish;
    private final Report report;
    private final long began = System.nanoTime();

    private Build(Path folder) throws IOException {
        this.folder = folder;
        build = Lines.read(folder.resolve("build"));
        root = Paths.get(build.value("root"));
        wish = new Wish(folder);
        report = new Report(folder);
    }

    public static void main(String[] args) throws Exception {
        new Build(Paths.get(args[0])).run();
    }

    private void run() throws Exception {
        List<Path> modules = modules();
        for (Path module : modules) {
            clear(module);
        }
        int code = call(build.values("word"), root, folder.resolve("build.log"), new ArrayList<>());
        List<String> log = log();
        if (!toldRefusal(log)) {
            tell(modules, code);
            if (build.has("describe") && code == 0) {
                describe(modules, log);
            }
        }
        List<String> tail = log.subList(Math.max(0, log.size() - 40), log.size());
        tail.forEach(System.err::println);
        System.exit(code);
    }

    private int call(List<String> words, Path directory, Path log, List<String[]> variables) throws Exception {
        ProcessBuilder process = new ProcessBuilder(words).directory(directory.toFile());
        variables.forEach(variable -> process.environment().put(variable[1], variable[2]));
        process.redirectErrorStream(true).redirectOutput(log.toFile()).redirectInput(new File("/dev/null"));
        return process.start().waitFor();
    }

    private List<String> log() throws IOException {
        String text = new String(Files.readAllBytes(folder.resolve("build.log")), StandardCharsets.UTF_8);
        return new ArrayList<>(java.util.Arrays.asList(text.split("\r?\n")));
    }

    /** Folders with a build file, the root first. */
    private List<Path> modules() throws IOException {
        Set<String> skipped = new HashSet<>(java.util.Arrays.asList("src", "node_modules", build.value("output")));
        List<Path> modules = new ArrayList<>();
        List<Path> waiting = new ArrayList<>();
        waiting.add(root);
        for (int at = 0; at < waiting.size(); at++) {
            Path directory = waiting.get(at);
            modules.add(directory);
            try (Stream<Path> inside = Files.list(directory)) {
                inside.filter(Files::isDirectory).filter(path -> !Files.isSymbolicLink(path)).sorted().filter(path -> {
                    String name = path.getFileName().toString();
                    return !name.startsWith(".") && !skipped.contains(name);
                }).forEach(waiting::add);
            }
        }
        modules.removeIf(directory -> build.values("manifest").stream().noneMatch(name -> Files.exists(directory.resolve(name))));
        return modules;
    }

    private void clear(Path module) throws IOException {
        Path output = module.resolve(build.value("output"));
        for (String made : new String[] {"classes", "test-classes", "maven-status", "surefire-reports", "test-results"}) {
            delete(output.resolve(made));
        }
        Path sources = module.resolve("src/main/java");
        if (wish.reach && Files.isDirectory(sources)) {
            Path probe = sources.resolve("mutate/Probe.java");
            Files.createDirectories(probe.getParent());
            Files.copy(folder.resolve("Probe.java"), probe, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static void delete(Path path) throws IOException {
        if (Files.exists(path)) {
            try (Stream<Path> files = Files.walk(path)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).collect(Collectors.toList())) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Whether the compiler has refused the program; it is told then. */
    private boolean toldRefusal(List<String> log) {
        for (int at = 0; at < log.size(); at++) {
            for (Pattern pattern : new Pattern[] {MAVEN_ERROR, JAVAC_ERROR}) {
                Matcher error = pattern.matcher(log.get(at).trim());
                if (error.matches()) {
                    String file = error.group(1);
                    String shown = file.startsWith(root + "/") ? file.substring(root.toString().length() + 1) : file;
                    report.loadFailure(shown + ":" + error.group(2), "javac", error.group(3) + symbol(log, at), file, true);
                    report.finished();
                    return true;
                }
            }
        }
        return false;
    }

    private static String symbol(List<String> log, int error) {
        for (String line : log.subList(error + 1, Math.min(log.size(), error + 1 + DETAILS))) {
            Matcher symbol = SYMBOL.matcher(line);
            if (symbol.matches()) {
                return ": " + symbol.group(1);
            }
        }
        return "";
    }

    /** What the tests have said: by our listener, or by the reports of the build. */
    private void tell(List<Path> modules, int code) throws Exception {
        List<Path> started = parts("jvm-");
        Set<String> seen = new LinkedHashSet<>();
        boolean atEnd;
        if (started.isEmpty()) {
            for (Path module : modules) {
                seen.addAll(XmlResults.tell(module.resolve(build.value("output")), wish, report));
            }
            atEnd = !seen.isEmpty();
        } else {
            for (Path part : parts("done-")) {
                seen.addAll(Lines.read(part).values("seen"));
            }
            atEnd = parts("done-").size() == started.size();
        }
        // With 0 and 1 both tools say that they came to their end; without any test only 0 says so.
        if (code == 0 || code == 1 && atEnd) {
            if (wish.only != null) {
                List<String> missing = new ArrayList<>(wish.only);
                missing.removeAll(seen);
                report.missing(missing);
            }
            if (started.isEmpty() || atEnd) {
                report.finished();
            }
        }
    }

    private List<Path> parts(String prefix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix)).sorted().collect(Collectors.toList());
        }
    }

    private void describe(List<Path> modules, List<String> log) throws Exception {
        Lines described = new Lines();
        String refusal = new Description(folder, root, modules, build, log).write(described);
        if (refusal != null) {
            described.add("refused", refusal);
            described.write(folder.resolve("described"));
            return;
        }
        Path direct = Files.createDirectory(folder.resolve("direct"));
        Lines request = new Lines();
        Lines.read(folder.resolve("request")).values("deselect").forEach(id -> request.add("deselect", id));
        Set<String> ids = Results.ids(folder.resolve("report.jsonl"));
        ids.forEach(id -> request.add("known", id));
        request.write(direct.resolve("request"));
        described.write(direct.resolve("described"));
        report.prepared((System.nanoTime() - began) / 1000);
        int code = call(words(described, direct), Paths.get(described.value("dir")), direct.resolve("log"), described.all("variable"));
        if (!Files.exists(direct.resolve("checked"))) {
            described.add("refused", "a test process of our own ended with exit code " + code);
        } else {
            described.add(Lines.read(direct.resolve("checked")));
        }
        described.write(folder.resolve("described"));
    }

    /** The command that runs tests without the build. */
    private List<String> words(Lines described, Path direct) {
        List<String> words = new ArrayList<>();
        words.add(described.value("java"));
        words.addAll(described.values("argument"));
        words.add("-cp");
        words.add(described.value("classpath") + File.pathSeparator + folder.resolve("mutate-jvm"));
        words.add("mutate.Direct");
        words.add(direct.toString());
        words.add("check");
        return words;
    }
}
