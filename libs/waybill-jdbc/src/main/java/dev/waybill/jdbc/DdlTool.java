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
            of the alerts, or of the jobs.

              --dialect  mysql | mariadb | postgresql | h2
              --layout   waybill | t_outbox_event | outbox_event | outbox_events | events   (default waybill);
                         dead_letters for the tables of dead letters, alerts for the one of alerts,
                         jobs for those of jobs, pauses for those of what people have paused
              --with     search_indexes: prints, instead of the table, the indexes for searches by key and trace
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
            String with = options.remove("--with");
            if (dialect == null || !options.isEmpty()) {
                throw new IllegalArgumentException(
                        dialect == null ? "--dialect is missing" : "unknown options " + options.keySet());
            }
            Dialect named = Dialect.named(dialect);
            out.print(
                    with != null
                            ? searchIndexes(with, layout, table)
                            : inbox == null ? outbox(named, layout, table, hours) : inbox(named, inbox, table));
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
        if ("jobs".equals(layout)) {
            return Ddl.printJobs(dialect);
        }
        if ("pauses".equals(layout)) {
            return Ddl.printPauses(dialect);
        }
        OutboxMapping mapping = mapping(layout, table);
        return hours == null
                ? Ddl.print(dialect, mapping)
                : Ddl.print(
                        dialect,
                        mapping,
                        Duration.ofHours(Long.parseLong(hours)),
                        Clock.systemUTC().instant());
    }

    private static String searchIndexes(String with, @Nullable String layout, @Nullable String table) {
        if (!with.equals("search_indexes")) {
            throw new IllegalArgumentException("--with is search_indexes, was " + with);
        }
        return Ddl.printSearchIndexes(mapping(layout, table));
    }

    private static OutboxMapping mapping(@Nullable String layout, @Nullable String table) {
        OutboxMapping mapping = OutboxLayouts.named(layout == null ? "waybill" : layout);
        return table == null ? mapping : mapping.toBuilder().table(table).build();
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
