package dev.waybill.jdbc;

import java.sql.Types;
import java.util.Set;

/** Checks of column types that outbox and inbox tables share. Each message names the column and what it should be. */
final class SqlChecks<C extends Enum<C>> {

    private final SqlTable<C, ?> table;

    SqlChecks(SqlTable<C, ?> table) {
        this.table = table;
    }

    void isTime(C column) {
        int type = table.shapeOf(column).type();
        check(column, type == Types.TIMESTAMP || type == Types.TIMESTAMP_WITH_TIMEZONE, "a date and time");
    }

    void isNumber(C column, String wanted) {
        check(column, !table.has(column) || table.shapeOf(column).numeric(), wanted);
    }

    void check(C column, boolean fits, String wanted) {
        if (!fits) {
            throw SqlErrors.misconfigured("column " + name(column) + " should be " + wanted + ", is "
                    + table.shapeOf(column).typeName());
        }
    }

    /** Where the status column is a number, the mapping's words must be numbers too. */
    <S extends Enum<S>> void haveNumbers(SqlMapping<C, S> mapping, Set<S> states) {
        C status = mapping.status();
        if (!table.has(status) || !table.shapeOf(status).numeric()) {
            return;
        }
        for (S state : states) {
            String word = mapping.word(state);
            if (word != null && !word.matches("-?[0-9]{1,9}")) {
                throw SqlErrors.misconfigured("column " + name(status) + " is a number, but the mapping's word for "
                        + state + " is '" + word + "'");
            }
        }
    }

    /** The column with its table, for messages. */
    String name(C column) {
        return table.name() + "." + table.shapeOf(column).name();
    }
}
