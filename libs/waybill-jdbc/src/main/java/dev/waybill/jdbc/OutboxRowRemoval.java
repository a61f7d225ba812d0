package dev.waybill.jdbc;

import dev.waybill.jdbc.archive.ArchivedRow;
import java.util.List;
import java.util.Map;

/** The statements that delete an outbox's rows by their keys, where a condition still holds. */
final class OutboxRowRemoval implements SqlRowRemover.Statements<String> {

    private static final String WHOLE =
            "SELECT * FROM {table} {byKey} WHERE {keyed} AND {condition}" + SqlRowRemover.LOCKED;

    private static final String DELETE = "DELETE FROM {table} WHERE {keyed} AND {condition}";

    private final OutboxTable table;
    private final String whole;
    private final String delete;

    OutboxRowRemoval(OutboxTable table, String condition) {
        this.table = table;
        this.whole = table.sql(WHOLE, Map.of("condition", condition));
        this.delete = table.sql(DELETE, Map.of("condition", condition));
    }

    @Override
    public SqlCall whole(List<String> keys) {
        return table.keyed(new SqlCall(whole), keys);
    }

    @Override
    public SqlCall delete(List<String> keys) {
        return table.keyed(new SqlCall(delete), keys);
    }

    @Override
    public String key(ArchivedRow row) {
        return SqlArchivedRow.text(row, table.shapeOf(table.mapping().key()).name());
    }
}
