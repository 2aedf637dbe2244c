// Compiles Java files in memory, one by one, against a class path; nothing is written.
//
//     java Check.java CLASSPATH < frames > one line per file that is refused: number, tab, what the compiler says first
//
// First comes the number of frames. A frame is the length of a path, the path, the length of a text, the text; lengths are four bytes, most significant first. The path is
// that of the file below its source folder, `a/b/C.java`.

import com.sun.source.util.JavacTask;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

class Check {
    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
    private final List<String> options;

    Check(String classPath) {
        options = Arrays.asList("-proc:none", "-implicit:none", "-Xlint:none", "-nowarn", "-XDshould-stop.ifError=FLOW", "-cp", classPath);
    }

    public static void main(String[] arguments) throws IOException {
        Check check = new Check(arguments[0]);
        DataInputStream in = new DataInputStream(System.in);
        int count = in.readInt();
        for (int number = 0; number < count; number++) {
            String refusal = check.refusal(text(in), text(in));
            if (refusal != null) {
                System.out.println(number + "\t" + refusal);
            }
        }
    }

    private static String text(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** What the compiler says first about a file that it refuses; null for one that it takes. */
    private String refusal(String path, String text) throws IOException {
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        JavacTask task = (JavacTask) compiler.getTask(null, files, said, options, null, List.of(new Text(path, text)));
        task.analyze();
        for (Diagnostic<? extends JavaFileObject> one : said.getDiagnostics()) {
            if (one.getKind() == Diagnostic.Kind.ERROR) {
                return "line " + one.getLineNumber() + ": " + one.getMessage(null).replaceAll("\\s+", " ");
            }
        }
        return null;
    }

    private static final class Text extends SimpleJavaFileObject {
        private final String text;

        Text(String path, String text) {
            super(URI.create("memory:///" + path), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
