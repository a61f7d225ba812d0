package dev.waybill.bench;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Statements per event, which are counted and so do not depend on the machine. */
final class StatementsTable {

    private static final List<String> WORKLOADS =
            List.of(LoadWorkload.STEADY, LoadWorkload.PACED, DrainWorkload.UNREAD);

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

                | environment | contender | steady | paced | draining |
                | --- | --- | --: | --: | --: |
                """);
        counted.stream()
                .map(Results.Table::environment)
                .distinct()
                .forEach(environment -> counted.stream()
                        .filter(table -> table.environment().equals(environment))
                        .flatMap(table -> table.rows().stream())
                        .filter(row -> !row.contender().id().equals(Contenders.RAW))
                        .map(ResultRow::contender)
                        .distinct()
                        .forEach(contender -> text.append(line(results, environment, contender))));
        return text.toString();
    }

    private static String line(Results results, Environment environment, ContenderSettings contender) {
        StringBuilder line = new StringBuilder("| " + environment.title() + " | " + contender.title() + " |");
        for (String workload : WORKLOADS) {
            OptionalDouble count = results.figure(workload, environment, contender.id(), "statements");
            line.append(count.isPresent() ? String.format(Locale.ROOT, " %.2f |", count.getAsDouble()) : " – |");
        }
        return line.append('\n').toString();
    }
}
