package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.store.StoreException.Reason;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlErrorsTest {

    @ParameterizedTest
    @CsvSource({
        "08006, 0, UNAVAILABLE",
        "57P01, 0, UNAVAILABLE",
        "08004, 1040, UNAVAILABLE",
        "HY000, 1290, UNAVAILABLE",
        "40001, 1213, CONFLICT",
        "HY000, 1205, CONFLICT",
        "40P01, 0, CONFLICT",
        "HYT00, 50200, CONFLICT",
        "23505, 0, DUPLICATE",
        "23000, 1062, DUPLICATE",
        "23505, 23505, DUPLICATE",
        "42S02, 1146, MISCONFIGURED",
        "42P01, 0, MISCONFIGURED",
        "42703, 0, MISCONFIGURED",
        "28P01, 0, MISCONFIGURED",
        "42000, 1142, MISCONFIGURED",
        "HY000, 1665, MISCONFIGURED",
        "22001, 1406, VALUE",
        "22001, 0, VALUE",
        "HY000, 1366, VALUE",
        "23502, 0, VALUE",
        "23000, 1048, VALUE",
        "XX000, 0, FAILED"
    })
    void errorsAreToldApartByStateAndCode(String state, int code, Reason reason) {
        assertThat(SqlErrors.reason(new SQLException("text is never read", state, code)))
                .isEqualTo(reason);
    }

    @Test
    void aPoolThatGivesNoConnectionIsUnavailable() {
        assertThat(SqlErrors.reason(new SQLTransientConnectionException("timed out")))
                .isEqualTo(Reason.UNAVAILABLE);
    }

    @Test
    void aStopThatEndsTheWaitForAConnectionSaysNothingAboutTheRows() {
        SQLException ended = new SQLException("Interrupted during connection acquisition", new InterruptedException());

        assertThat(SqlErrors.reason(ended)).isEqualTo(Reason.UNAVAILABLE);
    }

    @Test
    void theCauseIsAskedToo() {
        SQLException outer = new SQLException("wrapped", new SQLException("deadlock", "40P01"));

        assertThat(SqlErrors.reason(outer)).isEqualTo(Reason.CONFLICT);
        assertThat(SqlErrors.translate("settle", "events", outer))
                .hasMessageStartingWith("settle on events failed (CONFLICT");
    }
}
