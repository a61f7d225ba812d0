package dev.waybill.bench;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** What is counted before anything is timed: statements for each event, where the machine plays no part. */
final class StatementsTable {

    private static final List<String> WORKLOADS = List.of(Load.STEADY, Load.PACED, Drain.UNREAD);

    private StatementsTable() {}

    /** Empty when nothing was counted. */
    static String text(Results results) {
        List<Results.Table> counted = results.tables().stream()
                .filter(table -> WORKLOADS.contains(table.workload()))
                .toList();
        if (counted.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder("""

                ## Statements per event

                As the database counts them, commits not included. Under load: everything from the business row's INSERT (which is 1
                of them) to the settled row. Draining: what the relay alone needs.

                | ground | contender | steady | paced | draining |
                | --- | --- | --: | --: | --: |
                """);
        counted.stream()
                .map(Results.Table::ground)
                .distinct()
                .forEach(ground -> counted.stream()
                        .filter(table -> table.ground().equals(ground))
                        .flatMap(table -> table.rows().stream())
                        .filter(row -> !row.entrant().id().equals(Field.RAW))
                        .map(Row::entrant)
                        .distinct()
                        .forEach(entrant -> text.append(line(results, ground, entrant))));
        return text.toString();
    }

    private static String line(Results results, Ground ground, Entrant entrant) {
        StringBuilder line = new StringBuilder("| " + ground.title() + " | " + entrant.title() + " |");
        for (String workload : WORKLOADS) {
            OptionalDouble count = results.figure(workload, ground, entrant.id(), "statements");
            line.append(count.isPresent() ? String.format(Locale.ROOT, " %.2f |", count.getAsDouble()) : " – |");
        }
        return line.append('\n').toString();
    }
}
