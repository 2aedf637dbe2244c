package mutate;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles what differs from what the build has compiled, by the options of the build. */
final class Compile {
    /** One call of the compiler. */
    static final class Unit {
        final List<String> options = new ArrayList<>();
        Path output;
        final List<Path> roots = new ArrayList<>();

        /** From the words of a command line of javac. */
        Unit(List<String> words) {
            for (int at = 0; at < words.size(); at++) {
                String word = words.get(at);
                if (word.equals("-d") || word.equals("-sourcepath")) {
                    String value = words.get(++at);
                    if (word.equals("-d")) {
                        output = Paths.get(value);
                    } else {
                        split(value).forEach(root -> roots.add(Paths.get(root)));
                    }
                } else {
                    options.add(word);
                }
            }
        }

        List<Path> sources() throws IOException {
            List<Path> sources = new ArrayList<>();
            for (Path root : roots) {
                sources.addAll(files(root, ".java"));
            }
            return sources;
        }

        List<String> classPath() {
            int at = Math.max(options.indexOf("-classpath"), options.indexOf("-cp"));
            return at < 0 ? Collections.emptyList() : split(options.get(at + 1));
        }
    }

    /** The program that is refused. */
    static final class Refused extends Exception {
        final String file;
        final long line;

        Refused(String message, String file, long line) {
            super(message);
            this.file = file;
            this.line = line;
        }
    }

    private final Path folder;
    private final List<Unit> units;

    Compile(Path folder, List<Unit> units) {
        this.folder = folder;
        this.units = units;
    }

    /** Everything, somewhere else; says what differs from what the build has made, or {@code null}. */
    String compareWithBuild() throws IOException, Refused {
        for (Unit unit : units) {
            Path output = Files.createTempDirectory(folder, "check");
            if (!unit.sources().isEmpty()) {
                run(unit, unit.sources(), output, true);
            }
            List<Path> ours = files(output, ".class");
            List<Path> theirs = files(unit.output, ".class");
            // Maven makes these itself where the compiler makes none: they hold nothing.
            theirs.removeIf(file -> file.endsWith("package-info.class") && !Files.exists(output.resolve(unit.output.relativize(file))));
            if (ours.size() != theirs.size()) {
                return theirs.size() + " classes in " + unit.output + ", " + ours.size() + " compiled by us";
            }
            for (Path our : ours) {
                Path their = unit.output.resolve(output.relativize(our));
                if (!Files.exists(their) || !Arrays.equals(Files.readAllBytes(our), Files.readAllBytes(their))) {
                    return their + " is not what we compile";
                }
            }
        }
        return null;
    }

    /** Whether a change in one file may change what is made of others: programs that write sources see all of them. */
    boolean hasProcessors() throws IOException {
        for (Unit unit : units) {
            List<String> path = new ArrayList<>(unit.classPath());
            int own = Math.max(unit.options.indexOf("-processorpath"), unit.options.indexOf("--processor-path"));
            if (own >= 0) {
                path.addAll(split(unit.options.get(own + 1)));
            }
            for (String entry : path) {
                if (holdsProcessor(Paths.get(entry))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean holdsProcessor(Path entry) throws IOException {
        String name = "META-INF/services/javax.annotation.processing.Processor";
        if (Files.isDirectory(entry)) {
            return Files.exists(entry.resolve(name));
        }
        if (!Files.exists(entry)) {
            return false;
        }
        try (java.util.zip.ZipFile zip = new java.util.zip.ZipFile(entry.toFile())) {
            return zip.getEntry(name) != null;
        }
    }

    /** Digests of all sources, and of all classes that the build has made of them. */
    Map<String, String> digests() throws IOException {
        Map<String, String> digests = new TreeMap<>();
        for (Unit unit : units) {
            List<Path> found = new ArrayList<>(unit.sources());
            found.addAll(files(unit.output, ".class"));
            for (Path file : found) {
                digests.put(file.toString(), digest(file));
            }
        }
        return digests;
    }

    /** Brings the classes up to date with the sources. */
    void update(Map<String, String> known, boolean always, boolean extra) throws IOException, Refused {
        Map<String, String> now = digests();
        List<Path> changed = new ArrayList<>();
        boolean whole = always || !now.keySet().equals(known.keySet());
        for (Map.Entry<String, String> file : now.entrySet()) {
            if (!file.getValue().equals(known.get(file.getKey()))) {
                changed.add(Paths.get(file.getKey()));
            }
        }
        if (changed.isEmpty() && now.keySet().equals(known.keySet())) {
            return;
        }
        Unit main = units.get(0);
        for (Path file : changed) {
            whole |= !file.toString().endsWith(".java") || main.roots.stream().noneMatch(file::startsWith);
        }
        if (whole || !alone(main, changed, extra)) {
            for (Unit unit : units) {
                if (!unit.sources().isEmpty()) {
                    run(unit, unit.sources(), unit.output, extra);
                }
            }
        }
    }

    /** Only these files. False if a constant has changed: other files have copies of it. */
    private boolean alone(Unit unit, List<Path> files, boolean extra) throws IOException, Refused {
        Path output = Files.createTempDirectory(folder, "classes");
        run(unit, files, output, extra);
        List<Path> made = files(output, ".class");
        for (Path file : made) {
            Path before = unit.output.resolve(output.relativize(file));
            List<String> constants = Files.exists(before) ? constants(Files.readAllBytes(before)) : new ArrayList<>();
            if (!constants.equals(constants(Files.readAllBytes(file)))) {
                return false;
            }
        }
        for (Path file : made) {
            Path target = unit.output.resolve(output.relativize(file));
            Files.createDirectories(target.getParent());
            Files.write(target, Files.readAllBytes(file));
        }
        return true;
    }

    /** With our own classes behind all others, if the sources hold probes. */
    private void run(Unit unit, List<Path> files, Path output, boolean extra) throws IOException, Refused {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IOException("no compiler in " + System.getProperty("java.home"));
        }
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        StandardJavaFileManager manager = compiler.getStandardFileManager(said, null, null);
        List<String> options = new ArrayList<>(unit.options);
        int at = Math.max(options.indexOf("-classpath"), options.indexOf("-cp"));
        if (extra && at >= 0) {
            options.set(at + 1, options.get(at + 1) + File.pathSeparator + folder.resolve("mutate-jvm"));
        }
        // Classes come from where the build has put them, never from a source that is not named here.
        options.addAll(Arrays.asList("-implicit:none", "-sourcepath", folder.resolve("no-sources").toString(), "-d", output.toString()));
        int encoding = options.indexOf("-encoding");
        if (encoding >= 0) {
            manager = compiler.getStandardFileManager(said, null, java.nio.charset.Charset.forName(options.get(encoding + 1)));
        }
        List<File> sources = new ArrayList<>();
        files.forEach(file -> sources.add(file.toFile()));
        boolean done = compiler.getTask(null, manager, said, options, null, manager.getJavaFileObjectsFromFiles(sources)).call();
        manager.close();
        if (!done) {
            throw refusal(said);
        }
    }

    private static Refused refusal(DiagnosticCollector<JavaFileObject> said) {
        for (Diagnostic<? extends JavaFileObject> word : said.getDiagnostics()) {
            if (word.getKind() == Diagnostic.Kind.ERROR) {
                String file = word.getSource() == null ? null : word.getSource().toUri().getPath();
                return new Refused(word.getMessage(Locale.ENGLISH), file, word.getLineNumber());
            }
        }
        return new Refused("the compiler gives no reason", null, 0);
    }

    /** Fields with constant values, of which other classes may have copies. */
    static List<String> constants(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        in.skipBytes(8);
        Object[] pool = pool(in);
        in.skipBytes(6);
        in.skipBytes(2 * in.readUnsignedShort());
        List<String> constants = new ArrayList<>();
        for (int fields = in.readUnsignedShort(); fields > 0; fields--) {
            in.readUnsignedShort();
            Object name = pool[in.readUnsignedShort()];
            in.readUnsignedShort();
            for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
                Object kind = pool[in.readUnsignedShort()];
                int length = in.readInt();
                if ("ConstantValue".equals(kind)) {
                    Object value = pool[in.readUnsignedShort()];
                    constants.add(name + "=" + (value instanceof Integer[] ? pool[((Integer[]) value)[0]] : value));
                } else {
                    in.skipBytes(length);
                }
            }
        }
        Collections.sort(constants);
        return constants;
    }

    private static Object[] pool(DataInputStream in) throws IOException {
        int count = in.readUnsignedShort();
        Object[] pool = new Object[count];
        for (int at = 1; at < count; at++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1:
                    pool[at] = in.readUTF();
                    break;
                case 3:
                    pool[at] = "int " + in.readInt();
                    break;
                case 4:
                    pool[at] = "float " + Integer.toHexString(in.readInt());
                    break;
                case 5:
                case 6:
                    pool[at++] = (tag == 5 ? "long " : "double ") + Long.toHexString(in.readLong());
                    break;
                case 8:
                    pool[at] = new Integer[] {in.readUnsignedShort()};
                    break;
                case 15:
                    in.skipBytes(3);
                    break;
                case 7:
                case 16:
                case 19:
                case 20:
                    in.skipBytes(2);
                    break;
                default:
                    in.skipBytes(4);
            }
        }
        return pool;
    }

    static List<Path> files(Path root, String suffix) throws IOException {
        if (!Files.isDirectory(root)) {
            return new ArrayList<>();
        }
        List<Path> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            files.filter(file -> file.toString().endsWith(suffix) && Files.isRegularFile(file)).sorted().forEach(found::add);
        }
        return found;
    }

    static List<String> split(String path) {
        List<String> parts = new ArrayList<>();
        for (String part : path.split(File.pathSeparator)) {
            if (!part.isEmpty()) {
                parts.add(part);
            }
        }
        return parts;
    }

    private static String digest(Path file) throws IOException {
        CRC32 crc = new CRC32();
        byte[] bytes = Files.readAllBytes(file);
        crc.update(bytes);
        return bytes.length + "-" + Long.toHexString(crc.getValue());
    }
}
