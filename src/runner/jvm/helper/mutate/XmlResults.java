package mutate;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The results that the build writes for tests without a platform: {@code TEST-*.xml}. */
final class XmlResults {
    private XmlResults() {}

    static Set<String> tell(Path output, Wish wish, Report report) throws Exception {
        Set<String> seen = new LinkedHashSet<>();
        for (Path file : Compile.files(output, ".xml")) {
            if (file.getFileName().toString().startsWith("TEST-")) {
                NodeList cases = parse(file).getElementsByTagName("testcase");
                for (int at = 0; at < cases.getLength(); at++) {
                    tell((Element) cases.item(at), wish, report, seen);
                }
            }
        }
        return seen;
    }

    static Document parse(Path file) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        DocumentBuilder builder = factory.newDocumentBuilder();
        return builder.parse(file.toFile());
    }

    private static void tell(Element test, Wish wish, Report report, Set<String> seen) {
        String id = test.getAttribute("classname") + "::" + test.getAttribute("name");
        seen.add(id);
        if (!wish.wants(id)) {
            return;
        }
        Element failure = first(test, "failure");
        failure = failure == null ? first(test, "error") : failure;
        String time = test.getAttribute("time").replace(",", "");
        long micros = time.isEmpty() ? 0 : (long) (Double.parseDouble(time) * 1e6);
        if (failure != null) {
            String why = Report.failure(failure.getAttribute("type"), failure.getAttribute("message"), "call");
            report.result(id, "failed", micros, why);
        } else {
            report.result(id, first(test, "skipped") == null ? "passed" : "skipped", micros, "null");
        }
    }

    private static Element first(Element test, String name) {
        NodeList found = test.getElementsByTagName(name);
        return found.getLength() == 0 ? null : (Element) found.item(0);
    }
}
