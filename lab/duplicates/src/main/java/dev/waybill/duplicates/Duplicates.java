package dev.waybill.duplicates;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./dev duplicates}: how many near copies there are, and where the largest ones stand. */
@Command(
        name = "./dev duplicates",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Counts near copies of at least " + DuplicateFinder.MINIMUM_TOKENS
                + " tokens in the Java code, by PMD's CPD. The build allows as many as"
                + " lab/duplicates/limits.properties says.")
public final class Duplicates implements Callable<Integer> {

    @Option(names = "--list", paramLabel = "N", description = "show the N largest of each kind (default: none)")
    private int list;

    @Option(
            names = "--any-names",
            description = "count code with other identifiers and literals as copies, too; the build does not")
    private boolean anyNames;

    @Option(names = "--tree", paramLabel = "FOLDER", description = "another checkout (default: this one)")
    private Path tree = Path.of("");

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Duplicates()).execute(arguments));
    }

    @Override
    public Integer call() {
        DuplicateReport report =
                DuplicateReport.of(new DuplicateFinder(tree.toAbsolutePath().normalize(), anyNames));
        show("main code of libs, apps and lab", report.main());
        show("everything, tests and examples too", report.everything());
        show(
                "main code, between two modules, " + DuplicateLimits.LONG_LINES + " lines or more",
                report.longBetweenModules());
        return 0;
    }

    private void show(String title, List<Duplication> duplications) {
        System.out.println(title + ": " + duplications.size());
        if (list > 0 && !duplications.isEmpty()) {
            System.out.println(DuplicateReport.list(duplications, list));
        }
    }
}
