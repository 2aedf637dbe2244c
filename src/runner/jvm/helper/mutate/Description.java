package mutate;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** How the build compiles the project and starts its tests, from what it has just done. */
final class Description {
    private static final Pattern FORK = Pattern.compile(".*Forking command line: /bin/sh -c cd '?([^']*?)'? && (.*)");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
    /** Belongs to one process, or to the virtual machine. */
    private static final Pattern OWN_PROPERTY =
        Pattern.compile("(java|sun|jdk|os|file|path|line|native|user|awt|surefire|org\\.gradle)\\..*|stdout.*|stderr.*");
    private static final Set<String> OWN_VARIABLES =
        new HashSet<>(Arrays.asList("MUTATE_FOLDER", "MUTATE_HITS", "MUTATE_RUN", "_", "SHLVL", "PWD", "OLDPWD"));

    private final Path folder;
    private final Path root;
    private final List<Path> modules;
    private final Lines build;
    private final List<String> log;
    private final Map<String, String> properties = new TreeMap<>();

    Description(Path folder, Path root, List<Path> modules, Lines build, List<String> log) {
        this.folder = folder;
        this.root = root;
        this.modules = modules;
        this.build = build;
        this.log = log;
    }

    /** Why there is none, or {@code null}. */
    String write(Lines described) throws Exception {
        described.add("root", root.toString());
        List<String[]> compiled = build.has("gradle") ? compiledByGradle() : compiledByMaven();
        if (compiled.size() != 2) {
            return "the compiler is called " + compiled.size() + " times";
        }
        for (String[] words : compiled) {
            List<String> line = new ArrayList<>();
            line.add("compile");
            line.addAll(Arrays.asList(words));
            described.add(line.toArray(new String[0]));
        }
        List<Path> machines = parts("jvm-");
        if (machines.size() > 1) {
            return "the tests run in " + machines.size() + " processes";
        }
        String refusal = machines.isEmpty() ? bareJunit(described) : platform(described, Lines.read(machines.get(0)));
        if (refusal != null) {
            return refusal;
        }
        for (Map.Entry<String, String> property : properties.entrySet()) {
            if (!OWN_PROPERTY.matcher(property.getKey()).matches()) {
                described.add("property", property.getKey(), property.getValue());
            }
        }
        return null;
    }

    private List<Path> parts(String prefix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix)).sorted().collect(Collectors.toList());
        }
    }

    private List<String[]> compiledByMaven() {
        List<String[]> compiled = new ArrayList<>();
        for (int at = 1; at < log.size(); at++) {
            if (log.get(at - 1).contains("Command line options:") && log.get(at).contains("-d ")) {
                compiled.add(log.get(at).substring(log.get(at).indexOf("-d ")).trim().split(" +"));
            }
        }
        return compiled;
    }

    private List<String[]> compiledByGradle() throws IOException {
        List<String[]> compiled = new ArrayList<>();
        for (Path part : parts("compile-")) {
            compiled.add(Lines.read(part).values("word").toArray(new String[0]));
        }
        return compiled;
    }

    private String platform(Lines described, Lines machine) {
        described.add("framework", "platform");
        described.add("java", machine.value("java"));
        described.add("dir", machine.value("dir"));
        for (String argument : machine.values("argument")) {
            if (argument.startsWith("--module-path") || argument.startsWith("--add-modules=ALL-MODULE")) {
                return "the tests run on a module path";
            }
            if (!argument.startsWith("-Dorg.gradle.") && !argument.startsWith("-javaagent:/") || argument.contains("mockito")) {
                described.add("argument", argument);
            }
        }
        for (String[] property : machine.all("property")) {
            properties.put(property[1], property[2]);
        }
        for (String[] variable : machine.all("variable")) {
            String own = System.getenv(variable[1]);
            if (!OWN_VARIABLES.contains(variable[1]) && !variable[2].equals(own) && !variable[1].startsWith("MAVEN_")) {
                described.add("variable", variable[1], variable[2]);
            }
        }
        return classPath(described, machine.value("launcher"));
    }

    private String classPath(Lines described, String launcher) {
        String path = properties.get("surefire.test.class.path");
        path = path == null ? build.value("classpath") : path;
        path = path == null ? properties.get("java.class.path") : path;
        if (path == null) {
            return "the class path of the tests is not known";
        }
        String own = folder.toString();
        List<String> entries = Compile.split(path);
        entries.removeIf(entry -> entry.startsWith(own));
        if (launcher != null && !entries.contains(launcher)) {
            entries.add(launcher);
        }
        described.add("classpath", String.join(File.pathSeparator, entries));
        return null;
    }

    /** Surefire tells the command, and the properties in its reports. */
    private String bareJunit(Lines described) throws Exception {
        described.add("framework", "junit4");
        if (build.has("gradle")) {
            Lines told = Lines.read(parts("test-").get(0));
            described.add("java", told.value("java"));
            described.add("dir", told.value("dir"));
            told.values("argument").forEach(argument -> described.add("argument", argument));
            told.all("variable").forEach(described::add);
            for (String[] property : told.all("property")) {
                properties.put(property[1], property[2]);
            }
            properties.put("surefire.test.class.path", told.value("classpath"));
            return classPath(described, null);
        }
        List<Matcher> forks = new ArrayList<>();
        for (String line : log) {
            Matcher fork = FORK.matcher(line);
            if (fork.matches()) {
                forks.add(fork);
            }
        }
        if (forks.size() != 1) {
            return "the tests run in " + forks.size() + " processes";
        }
        described.add("dir", forks.get(0).group(1));
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(forks.get(0).group(2));
        while (word.find()) {
            words.add(word.group(1) == null ? word.group(2) : word.group(1));
        }
        int jar = words.indexOf("-jar");
        if (jar < 1) {
            return "the command of the tests is not understood";
        }
        described.add("java", words.get(0));
        words.subList(1, jar).forEach(argument -> described.add("argument", argument));
        readProperties();
        return classPath(described, null);
    }

    private void readProperties() throws Exception {
        for (Path module : modules) {
            for (Path file : Compile.files(module.resolve(build.value("output")), ".xml")) {
                if (file.getFileName().toString().startsWith("TEST-")) {
                    NodeList found = XmlResults.parse(file).getElementsByTagName("property");
                    for (int at = 0; at < found.getLength(); at++) {
                        Element property = (Element) found.item(at);
                        properties.put(property.getAttribute("name"), property.getAttribute("value"));
                    }
                    return;
                }
            }
        }
    }
}
