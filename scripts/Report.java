import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;

/**
 * Reads Surefire's reports below the current folder and prints seconds per module, the ten slowest tests, what failed and the
 * closing line. With {@code --matrix <cells> <page>} it also writes the contract matrix, and exits with 1 if a cell is not whole.
 */
public final class Report {

    private static final int FAILURE_LINES = 25;

    private enum Outcome {
        PASSED,
        FAILED,
        SKIPPED
    }

    private record TestRun(String module, String type, String name, double seconds, Outcome outcome, String failure) {

        String title() {
            return simpleClass() + ' ' + name;
        }

        /** Without the package, and with the classes around it: {@code Outer$Nested}. */
        String simpleClass() {
            return type.substring(type.lastIndexOf('.') + 1);
        }
    }

    public static void main(String[] arguments) throws Exception {
        var runs = readAll();
        printModules(runs);
        printSlowest(runs);
        var whole = true;
        if (arguments.length == 3 && arguments[0].equals("--matrix")) {
            whole = writeMatrix(runs, Path.of(arguments[1]), Path.of(arguments[2]));
        }
        printFailures(runs);
        System.out.printf(
                "%n%d passed, %d failed, %d skipped%n",
                count(runs, Outcome.PASSED), count(runs, Outcome.FAILED), count(runs, Outcome.SKIPPED));
        System.exit(whole ? 0 : 1);
    }

    private static List<TestRun> readAll() throws Exception {
        var runs = new ArrayList<TestRun>();
        List<Path> reports;
        try (Stream<Path> files = Files.find(Path.of("."), 8, (path, facts) -> isReport(path))) {
            reports = files.sorted().collect(Collectors.toList());
        }
        for (var report : reports) {
            var module = report.getParent().getParent().getParent().normalize().toString();
            var cases = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(report.toFile())
                    .getElementsByTagName("testcase");
            for (int i = 0; i < cases.getLength(); i++) {
                var test = (Element) cases.item(i);
                runs.add(new TestRun(
                        module,
                        test.getAttribute("classname"),
                        test.getAttribute("name"),
                        seconds(test.getAttribute("time")),
                        outcome(test),
                        failure(test)));
            }
        }
        return runs;
    }

    private static boolean isReport(Path path) {
        var name = path.getFileName().toString();
        return name.startsWith("TEST-")
                && name.endsWith(".xml")
                && path.getParent().endsWith(Path.of("target", "surefire-reports"));
    }

    private static double seconds(String text) {
        return text.isEmpty() ? 0 : Double.parseDouble(text.replace(",", ""));
    }

    private static Outcome outcome(Element test) {
        if (test.getElementsByTagName("failure").getLength() + test.getElementsByTagName("error").getLength() > 0) {
            return Outcome.FAILED;
        }
        return test.getElementsByTagName("skipped").getLength() > 0 ? Outcome.SKIPPED : Outcome.PASSED;
    }

    /** The message and as much of the trace as one needs to see where it was. */
    private static String failure(Element test) {
        for (var tag : List.of("failure", "error")) {
            var found = test.getElementsByTagName(tag);
            if (found.getLength() > 0) {
                return found.item(0).getTextContent().lines().limit(FAILURE_LINES).collect(Collectors.joining("\n"));
            }
        }
        return "";
    }

    private static long count(List<TestRun> runs, Outcome outcome) {
        return runs.stream().filter(run -> run.outcome() == outcome).count();
    }

    private static void printModules(List<TestRun> runs) {
        System.out.println("\nSeconds in tests, per module");
        var modules = new TreeMap<String, List<TestRun>>();
        runs.forEach(run -> modules.computeIfAbsent(run.module(), module -> new ArrayList<>()).add(run));
        modules.forEach((module, tests) -> System.out.printf(
                "%9.1f  %s (%d tests)%n",
                tests.stream().mapToDouble(TestRun::seconds).sum(), module, tests.size()));
    }

    private static void printSlowest(List<TestRun> runs) {
        System.out.println("\nThe ten slowest tests");
        runs.stream()
                .sorted(Comparator.comparingDouble(TestRun::seconds).reversed())
                .limit(10)
                .forEach(run -> System.out.printf("%9.1f  %s%n", run.seconds(), run.title()));
    }

    /** Last, because it is what a reader of a red run looks for. */
    private static void printFailures(List<TestRun> runs) {
        runs.stream()
                .filter(run -> run.outcome() == Outcome.FAILED)
                .forEach(run -> System.out.printf(
                        "%nFailed in %s: %s%n%s%n", run.module(), run.title(), run.failure().indent(4).stripTrailing()));
    }

    // --- the contract matrix

    /** One line of the cells file: a contract with its rows (none: one unnamed row) and columns, as name to title. */
    private record Contract(String name, Map<String, String> rows, Map<String, String> columns) {

        static Contract parse(String line) {
            var bar = line.indexOf('|');
            if (bar < 0) {
                throw new IllegalArgumentException("no '|' in: " + line);
            }
            var left = line.substring(0, bar).trim().split("\\s+", 2);
            return new Contract(left[0], titles(left.length > 1 ? left[1] : ""), titles(line.substring(bar + 1)));
        }

        private static Map<String, String> titles(String words) {
            var titles = new LinkedHashMap<String, String>();
            for (var word : words.trim().split("\\s+")) {
                if (!word.isEmpty()) {
                    titles.put(word.replaceAll("=.*", ""), word.replaceAll(".*=", ""));
                }
            }
            return titles;
        }

        Map<String, String> rowsOrOne() {
            return rows.isEmpty() ? Map.of("", "") : rows;
        }

        String testClass(String row, String column) {
            return name + "Test$" + (row.isEmpty() ? "" : row + "_") + column;
        }
    }

    private static boolean writeMatrix(List<TestRun> runs, Path cells, Path page) throws IOException {
        var text = new StringBuilder("# Contract matrix\n\nGenerated from the test reports of one run.\n");
        var broken = new ArrayList<String>();
        for (var line : Files.readAllLines(cells)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                append(text, Contract.parse(line), runs, broken);
            }
        }
        Files.createDirectories(page.getParent());
        Files.writeString(page, text);
        if (!broken.isEmpty()) {
            System.out.println("\nThe contract matrix is not whole (" + page + "):");
            broken.forEach(cell -> System.out.println("  " + cell));
        }
        return broken.isEmpty();
    }

    private static void append(StringBuilder text, Contract contract, List<TestRun> runs, List<String> broken) {
        text.append("\n## ").append(contract.name()).append("\n\n| | ");
        text.append(String.join(" | ", contract.columns().values())).append(" |\n| --- |");
        text.append(" --- |".repeat(contract.columns().size())).append('\n');
        contract.rowsOrOne().forEach((row, title) -> {
            text.append("| ").append(title).append(" |");
            contract.columns().keySet().forEach(column -> {
                var testClass = contract.testClass(row, column);
                var tests = runs.stream()
                        .filter(run -> run.simpleClass().equals(testClass))
                        .collect(Collectors.toList());
                var cell = cell(tests);
                text.append(' ').append(cell).append(" |");
                if (!cell.endsWith("passed")) {
                    broken.add(testClass + ": " + cell);
                }
            });
            text.append('\n');
        });
    }

    private static String cell(List<TestRun> tests) {
        if (tests.isEmpty()) {
            return "missing";
        }
        var failed = count(tests, Outcome.FAILED);
        var skipped = count(tests, Outcome.SKIPPED);
        if (failed > 0) {
            return failed + " of " + tests.size() + " failed";
        }
        return skipped > 0 ? skipped + " of " + tests.size() + " skipped" : tests.size() + " passed";
    }
}
