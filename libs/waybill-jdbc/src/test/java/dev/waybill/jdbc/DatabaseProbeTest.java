package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

class DatabaseProbeTest {

    @Test
    void aDatabaseThatAnswersDoes() {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:" + UUID.randomUUID());

        assertThat(new DatabaseProbe(h2).answers()).isTrue();
    }

    @Test
    void aPoolInWhichNothingIsFreeIsNotADatabaseThatIsDown() {
        assertThat(new DatabaseProbe(failing(new SQLTransientConnectionException("none free"))).answers())
                .isTrue();
    }

    @Test
    void aPoolThatNamesTheReasonIs() {
        SQLException refused = new SQLException("connection refused", "08001");

        assertThat(new DatabaseProbe(failing(new SQLTransientConnectionException("none free", "08001", refused)))
                        .answers())
                .isFalse();
        assertThat(new DatabaseProbe(failing(refused)).answers()).isFalse();
    }

    private static DataSource failing(SQLException failure) {
        return (DataSource) Proxy.newProxyInstance(
                DatabaseProbeTest.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, args) -> {
                    throw failure;
                });
    }
}
