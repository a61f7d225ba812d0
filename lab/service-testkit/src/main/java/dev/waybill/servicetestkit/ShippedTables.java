package dev.waybill.servicetestkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servers.Database;
import dev.waybill.servers.TableSchema;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Compares the tables that a service's migrations make with those of the DDL that Waybill ships. */
public final class ShippedTables {

    private ShippedTables() {}

    /** An empty database inside this process. */
    public static DataSource h2(String name) {
        return new DriverManagerDataSource("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1", "sa", "");
    }

    public static DataSource in(Database database) {
        return new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password());
    }

    /** Columns, types, keys and indexes of these tables must be the same on both sides. */
    public static void assertSame(List<String> tables, DataSource migrated, DataSource shipped) throws SQLException {
        for (String table : tables) {
            TableSchema expected = TableSchema.read(shipped, table);
            assertThat(expected.columns()).isNotEmpty();
            assertThat(TableSchema.read(migrated, table)).isEqualTo(expected);
        }
    }
}
