package mutate;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Writes down how the build has started the process that runs the tests. */
final class Describe {
    private Describe() {}

    static void to(Path folder, Class<?> launcher) throws IOException {
        Lines lines = new Lines();
        lines.add("java", System.getProperty("java.home") + "/bin/java");
        lines.add("dir", System.getProperty("user.dir"));
        for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            lines.add("argument", argument);
        }
        for (String name : System.getProperties().stringPropertyNames()) {
            lines.add("property", name, System.getProperty(name));
        }
        for (Map.Entry<String, String> variable : System.getenv().entrySet()) {
            lines.add("variable", variable.getKey(), variable.getValue());
        }
        lines.add("launcher", launcher.getProtectionDomain().getCodeSource().getLocation().getPath());
        lines.write(Files.createTempFile(folder, "jvm-", ".lines"));
    }
}
