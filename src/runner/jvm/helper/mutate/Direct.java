package mutate;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Compiles what has changed and runs tests in this very process, which was started as the build starts its own.
 *
 * The file {@code described} says how the build does it. With {@code check} as second argument everything is compiled once more first,
 * and must come out to the byte as the build has made it.
 */
public final class Direct {
    private Direct() {}

    public static void main(String[] args) throws Exception {
        Path folder = Paths.get(args[0]);
        Lines described = Lines.read(folder.resolve("described"));
        List<Compile.Unit> units = new ArrayList<>();
        for (String[] line : described.all("compile")) {
            units.add(new Compile.Unit(java.util.Arrays.asList(line).subList(1, line.length)));
        }
        Compile compile = new Compile(folder, units);
        if (args.length > 1) {
            check(folder, compile);
        }
        Suite suite = new Suite(folder);
        try {
            Map<String, String> known = new TreeMap<>();
            for (String[] line : described.all("file")) {
                known.put(line[1], line[2]);
            }
            if (!known.isEmpty()) {
                compile.update(known, described.has("processors"), suite.wish().reach);
            }
        } catch (Compile.Refused refused) {
            String where = refused.file == null ? "" : relative(refused.file, described.value("root"));
            String at = where + (refused.line > 0 ? ":" + refused.line : "");
            suite.report().loadFailure(at.isEmpty() ? "javac" : at, "javac", refused.getMessage(), refused.file, true);
            suite.finish(false);
            Suite.leave();
        }
        for (String[] property : described.all("property")) {
            System.setProperty(property[1], property[2]);
        }
        Set<String> classes = new LinkedHashSet<>();
        Wish wish = suite.wish();
        for (String id : wish.only != null ? wish.only : wish.known) {
            classes.add(Wish.topClass(id));
        }
        try {
            run(suite, described.value("framework"), classes);
            suite.finish(true);
        } catch (Throwable why) {
            suite.report().loadFailure("JUnit", why.getClass().getSimpleName(), String.valueOf(why.getMessage()), null, false);
            suite.finish(false);
        }
        Suite.leave();
    }

    private static void run(Suite suite, String framework, Set<String> classes) {
        if (framework.equals("platform")) {
            PlatformRun.run(suite, classes);
        } else {
            Junit4Run.run(suite, classes);
        }
    }

    private static void check(Path folder, Compile compile) throws Exception {
        Lines checked = new Lines();
        String differs;
        try {
            differs = compile.compareWithBuild();
        } catch (Compile.Refused refused) {
            differs = "the compiler refuses what the build compiles: " + refused.getMessage();
        }
        if (differs == null) {
            compile.digests().forEach((file, digest) -> checked.add("file", file, digest));
            if (compile.hasProcessors()) {
                checked.add("processors", "yes");
            }
        } else {
            checked.add("differs", differs);
        }
        checked.write(folder.resolve("checked"));
    }

    private static String relative(String file, String root) {
        return file.startsWith(root + "/") ? file.substring(root.length() + 1) : file;
    }
}
