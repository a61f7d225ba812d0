package dev.waybill.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

@Servers({Server.MARIADB, Server.MYSQL, Server.POSTGRESQL})
class SqlServersTest {

    @Test
    void mariaDbHandsOutADatabaseOfItsOwn(MariaDb mariaDb) throws SQLException {
        assertThat(answerOf(mariaDb, "SELECT VERSION()")).contains("MariaDB");
        assertThat(answerOf(mariaDb, "SELECT @@binlog_format")).isEqualTo("ROW");
    }

    @Test
    void mySqlIsMySqlEight(MySql mySql) throws SQLException {
        assertThat(answerOf(mySql, "SELECT VERSION()")).startsWith("8.");
    }

    @Test
    void postgreSqlCountsStatementsInEveryDatabase(PostgreSql postgreSql) throws SQLException {
        assertThat(answerOf(postgreSql, "SELECT count(*) FROM pg_stat_statements"))
                .isNotNull();
    }

    @Test
    void threeHundredConnectionsAreAllowed(MariaDb mariaDb, MySql mySql, PostgreSql postgreSql) throws SQLException {
        assertThat(Integer.parseInt(answerOf(mariaDb, "SELECT @@max_connections")))
                .isGreaterThanOrEqualTo(300);
        assertThat(Integer.parseInt(answerOf(mySql, "SELECT @@max_connections")))
                .isGreaterThanOrEqualTo(300);
        assertThat(Integer.parseInt(answerOf(postgreSql, "SHOW max_connections")))
                .isGreaterThanOrEqualTo(300);
    }

    private static String answerOf(SqlServer server, String query) throws SQLException {
        var database = server.freshDatabase();
        try (var connection = DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE things (id INT PRIMARY KEY)");
            try (var rows = statement.executeQuery(query)) {
                rows.next();
                return rows.getString(1);
            }
        }
    }
}
