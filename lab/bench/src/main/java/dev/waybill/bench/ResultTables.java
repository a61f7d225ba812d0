package dev.waybill.bench;

import java.util.List;
import java.util.stream.Collectors;

/** The run as people read it. */
final class ResultTables {

    private ResultTables() {}

    static String tables(Results results) {
        StringBuilder text = new StringBuilder();
        results.tables().stream().map(Results.Table::workload).distinct().forEach(workload -> {
            text.append("\n## ").append(workload).append('\n');
            results.tables().stream()
                    .filter(table -> table.workload().equals(workload))
                    .forEach(table -> text.append("\n### ")
                            .append(table.environment().title())
                            .append("\n\n")
                            .append(table(table)));
        });
        return text.toString();
    }

    private static String table(Results.Table table) {
        List<ResultColumn> columns = table.columns();
        StringBuilder text = new StringBuilder();
        text.append(line("contender", columns.stream().map(ResultColumn::title).toList()));
        text.append(line("---", columns.stream().map(column -> "--:").toList()));
        for (ResultRow row : table.rows()) {
            if (row.isResult()) {
                text.append(line(
                        name(row),
                        columns.stream().map(column -> table.cell(row, column)).toList()));
            }
        }
        for (ResultRow row : table.rows()) {
            if (!row.isResult()) {
                text.append("\nNot a result: ")
                        .append(row.contender().title())
                        .append(": ")
                        .append(row.failure())
                        .append('\n');
            }
        }
        return text.toString();
    }

    private static String name(ResultRow row) {
        ContenderSettings contender = row.contender();
        if (row.label() != null) {
            return row.label();
        }
        String title = contender.link().isEmpty()
                ? contender.title()
                : "[" + contender.title() + "](" + contender.link() + ")";
        return contender.role() == ContenderSettings.Role.WAYBILL ? "**" + title + "**" : title;
    }

    private static String line(String first, List<String> rest) {
        return "| " + first + " | " + rest.stream().collect(Collectors.joining(" | ")) + " |\n";
    }
}
