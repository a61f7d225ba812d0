package dev.waybill.jdbc;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Prints the shipped DDL: {@code java -cp ... dev.waybill.jdbc.DdlTool --dialect postgresql --layout waybill}. */
public final class DdlTool {

    private static final String HELP = """
            Prints the DDL of an outbox table and of Waybill's tables beside it.

              --dialect  mysql | mariadb | postgresql | h2
              --layout   waybill | t_outbox_event | outbox_event | outbox_events | events   (default waybill)
              --table    another name for the outbox table, or schema.name
              --help     this text""";

    private DdlTool() {}

    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments), System.out, System.err));
    }

    static int run(List<String> arguments, PrintStream out, PrintStream err) {
        if (arguments.isEmpty() || arguments.contains("--help")) {
            out.println(HELP);
            return 0;
        }
        try {
            Map<String, String> options = options(arguments);
            String dialect = options.remove("--dialect");
            TableMapping mapping = Layouts.named(options.getOrDefault("--layout", "waybill"));
            options.remove("--layout");
            String table = options.remove("--table");
            if (dialect == null || !options.isEmpty()) {
                throw new IllegalArgumentException(
                        dialect == null ? "--dialect is missing" : "unknown options " + options.keySet());
            }
            out.print(Ddl.print(
                    Dialect.named(dialect),
                    table == null ? mapping : mapping.toBuilder().table(table).build()));
            return 0;
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            err.println(HELP);
            return 2;
        }
    }

    private static Map<String, String> options(List<String> arguments) {
        if (arguments.size() % 2 != 0) {
            throw new IllegalArgumentException("options come with values: " + arguments);
        }
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i < arguments.size(); i += 2) {
            options.put(arguments.get(i), arguments.get(i + 1));
        }
        return options;
    }
}
