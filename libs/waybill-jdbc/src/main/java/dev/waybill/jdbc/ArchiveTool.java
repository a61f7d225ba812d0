package dev.waybill.jdbc;

import dev.waybill.jdbc.archive.ArchiveException;
import dev.waybill.store.StoreException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Restores archived rows: {@code java -cp ... dev.waybill.jdbc.ArchiveTool --archive folder --url jdbc:... --user shop}. */
public final class ArchiveTool {

    private static final String PASSWORD = "WAYBILL_PASSWORD";

    private static final String HELP = """
            Restores archived rows; those that are there already stay as they are. The password comes from the environment
            variable WAYBILL_PASSWORD.

              --archive  the folder, or one file of it
              --url      the database, as JDBC names it
              --user     who inserts the rows
              --table    only the rows of this table
              --into     another table for them, with the same columns
              --help     this text""";

    private ArchiveTool() {}

    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments), System.getenv(PASSWORD), System.out, System.err));
    }

    static int run(List<String> arguments, @Nullable String password, PrintStream out, PrintStream err) {
        if (arguments.isEmpty() || arguments.contains("--help")) {
            out.println(HELP);
            return 0;
        }
        try {
            Map<String, String> options = DdlTool.options(arguments);
            Path archive = Path.of(needed(options, "--archive"));
            ArchiveRestorer restorer = new ArchiveRestorer(
                    new DriverDataSource(needed(options, "--url"), options.remove("--user"), password));
            String table = options.remove("--table");
            String into = options.remove("--into");
            if (!options.isEmpty() || (into != null && table == null)) {
                throw new IllegalArgumentException(
                        options.isEmpty() ? "--into needs --table" : "unknown options " + options.keySet());
            }
            ArchiveRestorer.Restored restored = table == null
                    ? restorer.restore(archive)
                    : restorer.restore(archive, table, into == null ? table : into);
            restored.cutOff().forEach(file -> out.println(file + " has no end; all that was deleted is in it"));
            out.println(restored.restored() + " of " + restored.rows() + " rows restored, the others were there");
            return 0;
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            err.println(HELP);
            return 2;
        } catch (ArchiveException | StoreException e) {
            err.println(e.getMessage());
            return 1;
        }
    }

    private static String needed(Map<String, String> options, String name) {
        String value = options.remove(name);
        if (value == null) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return value;
    }
}
