package dev.waybill.jdbc;

import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints the shipped DDL: {@code java -cp ... dev.waybill.jdbc.DdlTool --dialect postgresql --layout waybill}. */
public final class DdlTool {

    private static final String HELP = """
            Prints the DDL of an outbox table and of Waybill's tables beside it, of a consume log, of the dead letters,
            or of the alerts.

              --dialect  mysql | mariadb | postgresql | h2
              --layout   waybill | t_outbox_event | outbox_event | outbox_events | events   (default waybill);
                         dead_letters for the tables of dead letters, alerts for the one of alerts
              --hours    with --layout waybill: partitions of so many hours each, on mysql, mariadb and postgresql
              --inbox    waybill | t_mq_consume_log | inbox_message | event_consume_log   (instead of --layout)
              --table    another name for the outbox or inbox table, or schema.name
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
            String layout = options.remove("--layout");
            String inbox = options.remove("--inbox");
            String hours = options.remove("--hours");
            String table = options.remove("--table");
            if (dialect == null || !options.isEmpty()) {
                throw new IllegalArgumentException(
                        dialect == null ? "--dialect is missing" : "unknown options " + options.keySet());
            }
            out.print(
                    inbox == null
                            ? outbox(Dialect.named(dialect), layout, table, hours)
                            : inbox(Dialect.named(dialect), inbox, table));
            return 0;
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            err.println(HELP);
            return 2;
        }
    }

    private static String outbox(
            Dialect dialect, @Nullable String layout, @Nullable String table, @Nullable String hours) {
        if ("dead_letters".equals(layout)) {
            return Ddl.printDeadLetters(dialect);
        }
        if ("alerts".equals(layout)) {
            return Ddl.printAlerts(dialect);
        }
        OutboxMapping mapping = OutboxLayouts.named(layout == null ? "waybill" : layout);
        OutboxMapping named =
                table == null ? mapping : mapping.toBuilder().table(table).build();
        return hours == null
                ? Ddl.print(dialect, named)
                : Ddl.print(
                        dialect,
                        named,
                        Duration.ofHours(Long.parseLong(hours)),
                        Clock.systemUTC().instant());
    }

    private static String inbox(Dialect dialect, String layout, @Nullable String table) {
        InboxMapping mapping = InboxLayouts.named(layout);
        return Ddl.print(
                dialect,
                table == null ? mapping : mapping.toBuilder().table(table).build());
    }

    static Map<String, String> options(List<String> arguments) {
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
