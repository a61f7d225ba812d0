package dev.waybill.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The rows of a run, with the tables' columns. */
final class Results {

    private final List<Table> tables = new ArrayList<>();

    /** One workload in one environment. */
    record Table(String workload, Environment environment, List<ResultColumn> columns, List<ResultRow> rows) {

        String cell(ResultRow row, ResultColumn column) {
            double value = row.get(column.figure());
            String of = column.of();
            if (of == null) {
                return column.text(value);
            }
            return column.text(value / figure(of, column.figure()).orElse(Double.NaN));
        }

        private OptionalDouble figure(String contender, String name) {
            return rows.stream()
                    .filter(row -> row.contender().id().equals(contender) && row.isResult())
                    .mapToDouble(row -> row.get(name))
                    .findFirst();
        }
    }

    void add(String workload, Environment environment, List<ResultColumn> columns, List<ResultRow> rows) {
        if (!rows.isEmpty()) {
            tables.add(new Table(workload, environment, columns, rows));
        }
    }

    List<Table> tables() {
        return tables;
    }

    /** A figure of a row that is a result. */
    OptionalDouble figure(String workload, Environment environment, String contender, String name) {
        return row(workload, environment, contender).stream()
                .mapToDouble(row -> row.get(name))
                .filter(value -> !Double.isNaN(value))
                .findFirst();
    }

    /** The best figure of the peers whose rows are results. */
    OptionalDouble bestPeer(String workload, Environment environment, String name, boolean highest) {
        var values = rows(workload, environment).stream()
                .filter(row -> row.contender().role() == ContenderSettings.Role.PEER && row.isResult())
                .mapToDouble(row -> row.get(name))
                .filter(value -> !Double.isNaN(value));
        return highest ? values.max() : values.min();
    }

    /** Rows of Waybill and the limits that are not results. */
    List<ResultRow> broken() {
        return tables.stream()
                .flatMap(table -> table.rows().stream())
                .filter(row -> !row.isResult() && row.contender().role() != ContenderSettings.Role.PEER)
                .toList();
    }

    private Optional<ResultRow> row(String workload, Environment environment, String contender) {
        return rows(workload, environment).stream()
                .filter(row -> row.contender().id().equals(contender) && row.isResult())
                .findFirst();
    }

    private List<ResultRow> rows(String workload, Environment environment) {
        return tables.stream()
                .flatMap(table -> table.rows().stream())
                .filter(row ->
                        row.workload().equals(workload) && row.environment().equals(environment))
                .toList();
    }
}
