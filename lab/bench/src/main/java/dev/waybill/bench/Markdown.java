package dev.waybill.bench;

import java.util.List;
import java.util.stream.Collectors;

/** The run as people read it. */
final class Markdown {

    private Markdown() {}

    static String tables(Results results) {
        StringBuilder text = new StringBuilder();
        results.tables().stream().map(Results.Table::workload).distinct().forEach(workload -> {
            text.append("\n## ").append(workload).append('\n');
            results.tables().stream()
                    .filter(table -> table.workload().equals(workload))
                    .forEach(table -> text.append("\n### ")
                            .append(table.ground().title())
                            .append("\n\n")
                            .append(table(table)));
        });
        return text.toString();
    }

    private static String table(Results.Table table) {
        List<Column> columns = table.columns();
        StringBuilder text = new StringBuilder();
        text.append(line("contender", columns.stream().map(Column::title).toList()));
        text.append(line("---", columns.stream().map(column -> "--:").toList()));
        for (Row row : table.rows()) {
            if (row.isResult()) {
                text.append(line(
                        name(row),
                        columns.stream().map(column -> table.cell(row, column)).toList()));
            }
        }
        for (Row row : table.rows()) {
            if (!row.isResult()) {
                text.append("\nNot a result: ")
                        .append(row.entrant().title())
                        .append(": ")
                        .append(row.failure())
                        .append('\n');
            }
        }
        return text.toString();
    }

    private static String name(Row row) {
        Entrant entrant = row.entrant();
        if (row.label() != null) {
            return row.label();
        }
        String title = entrant.link().isEmpty() ? entrant.title() : "[" + entrant.title() + "](" + entrant.link() + ")";
        return entrant.role() == Entrant.Role.WAYBILL ? "**" + title + "**" : title;
    }

    private static String line(String first, List<String> rest) {
        return "| " + first + " | " + rest.stream().collect(Collectors.joining(" | ")) + " |\n";
    }
}
