package mutate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What the engine asked for: the file {@code request} in the folder. */
final class Wish {
    final boolean bail;
    final boolean reach;
    /** Only these; {@code null}: all. */
    final Set<String> only;
    /** The tests that there are without any mutant; empty: not known yet. */
    final Set<String> known;
    private final Set<String> knownMethods = new HashSet<>();
    private final Set<String> onlyMethods = new HashSet<>();
    private final List<String> deselected;
    /** Classes and packages as paths, to which the user has confined the run. */
    private final List<String> within;

    Wish(Path folder) throws IOException {
        Lines lines = Lines.read(folder.resolve("request"));
        bail = lines.has("bail");
        reach = lines.has("reach");
        only = lines.has("select") ? new LinkedHashSet<>(lines.values("only")) : null;
        known = new LinkedHashSet<>(lines.values("known"));
        deselected = lines.values("deselect");
        within = lines.values("within");
        known.forEach(id -> knownMethods.add(method(id)));
        if (only != null) {
            only.forEach(id -> onlyMethods.add(method(id)));
        }
    }

    /** Whether a method is to run at all: of a parametrised one some cases are wanted, and all run. */
    boolean wantsMethod(String id) {
        if (isDeselected(id)) {
            return false;
        }
        String method = method(id);
        return only != null ? onlyMethods.contains(method) : known.isEmpty() || knownMethods.contains(method);
    }

    /** Whether what happened to this test is to be told. Something that nobody knew before is: a class that fails as a whole. */
    boolean wants(String id) {
        boolean isNew = !known.isEmpty() && !known.contains(id);
        return !isDeselected(id) && (only == null || only.contains(id) || isNew);
    }

    private boolean isDeselected(String id) {
        if (!isWithin(topClass(id).replace('.', '/'))) {
            return true;
        }
        for (String out : deselected) {
            boolean inside = id.startsWith(out) && id.length() > out.length() && "[:$".indexOf(id.charAt(out.length())) >= 0;
            if (inside || id.equals(out)) {
                return true;
            }
        }
        return false;
    }

    private boolean isWithin(String path) {
        for (String place : within) {
            if (place.isEmpty() || path.equals(place) || path.startsWith(place + "/")) {
                return true;
            }
        }
        return within.isEmpty();
    }

    /** {@code A::m(int)} of {@code A::m(int)[1]}. */
    static String method(String id) {
        int name = id.indexOf("::");
        int bracket = id.indexOf(")[", Math.max(name, 0));
        if (bracket >= 0) {
            return id.substring(0, bracket + 1);
        }
        int plain = id.indexOf('(', Math.max(name, 0)) >= 0 ? -1 : id.indexOf('[', Math.max(name, 0));
        return plain > name + 2 ? id.substring(0, plain) : id;
    }

    /** {@code A} of {@code A$B::m()}. */
    static String topClass(String id) {
        int end = id.indexOf("::");
        String name = end < 0 ? id : id.substring(0, end);
        int nested = name.indexOf('$');
        return nested > 0 ? name.substring(0, nested) : name;
    }
}
