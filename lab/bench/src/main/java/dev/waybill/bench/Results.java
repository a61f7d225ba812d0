package dev.waybill.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The rows of a run, with the tables' columns. */
final class Results {

    private final List<Table> tables = new ArrayList<>();

    /** One workload on one ground. */
    record Table(String workload, Ground ground, List<Column> columns, List<Row> rows) {

        String cell(Row row, Column column) {
            double value = row.get(column.figure());
            String of = column.of();
            if (of == null) {
                return column.text(value);
            }
            return column.text(value / figure(of, column.figure()).orElse(Double.NaN));
        }

        private OptionalDouble figure(String entrant, String name) {
            return rows.stream()
                    .filter(row -> row.entrant().id().equals(entrant) && row.isResult())
                    .mapToDouble(row -> row.get(name))
                    .findFirst();
        }
    }

    void add(String workload, Ground ground, List<Column> columns, List<Row> rows) {
        if (!rows.isEmpty()) {
            tables.add(new Table(workload, ground, columns, rows));
        }
    }

    List<Table> tables() {
        return tables;
    }

    /** A figure of a row that is a result. */
    OptionalDouble figure(String workload, Ground ground, String entrant, String name) {
        return row(workload, ground, entrant).stream()
                .mapToDouble(row -> row.get(name))
                .filter(value -> !Double.isNaN(value))
                .findFirst();
    }

    /** The best figure of the peers whose rows are results. */
    OptionalDouble bestPeer(String workload, Ground ground, String name, boolean highest) {
        var values = rows(workload, ground).stream()
                .filter(row -> row.entrant().role() == Entrant.Role.PEER && row.isResult())
                .mapToDouble(row -> row.get(name))
                .filter(value -> !Double.isNaN(value));
        return highest ? values.max() : values.min();
    }

    /** What is ours and not a result. */
    List<Row> broken() {
        return tables.stream()
                .flatMap(table -> table.rows().stream())
                .filter(row -> !row.isResult() && row.entrant().role() != Entrant.Role.PEER)
                .toList();
    }

    private Optional<Row> row(String workload, Ground ground, String entrant) {
        return rows(workload, ground).stream()
                .filter(row -> row.entrant().id().equals(entrant) && row.isResult())
                .findFirst();
    }

    private List<Row> rows(String workload, Ground ground) {
        return tables.stream()
                .flatMap(table -> table.rows().stream())
                .filter(row -> row.workload().equals(workload) && row.ground().equals(ground))
                .toList();
    }
}
