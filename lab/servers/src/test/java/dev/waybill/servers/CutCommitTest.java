package dev.waybill.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The fault that an outbox has to survive: the connection goes during COMMIT, and the client cannot know on which side. */
@Servers({Server.MARIADB, Server.MYSQL, Server.POSTGRESQL})
class CutCommitTest {

    @Test
    void mariaDb(MariaDb mariaDb) throws Exception {
        cutOnBothSides(mariaDb);
    }

    @Test
    void mySql(MySql mySql) throws Exception {
        cutOnBothSides(mySql);
    }

    @Test
    void postgreSql(PostgreSql postgreSql) throws Exception {
        cutOnBothSides(postgreSql);
    }

    private static void cutOnBothSides(SqlServer server) throws Exception {
        var database = server.freshDatabase();
        try (var direct = DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password())) {
            direct.createStatement().execute("CREATE TABLE things (id INT PRIMARY KEY)");
            commitThroughProxy(server, database, 1, proxy -> proxy.cutBefore(FaultProxy.COMMIT));
            assertThat(isThere(direct, 1))
                    .as("cut before: the server never saw it")
                    .isFalse();
            commitThroughProxy(server, database, 2, proxy -> proxy.cutAfter(FaultProxy.COMMIT));
            assertThat(isThere(direct, 2)).as("cut after: committed, untold").isTrue();
        }
    }

    private static void commitThroughProxy(
            SqlServer server, Database database, int id, Function<FaultProxy, CompletableFuture<Void>> fault)
            throws Exception {
        try (var proxy = FaultProxy.to(server)) {
            var url = server.jdbcUrl(proxy.host(), proxy.port(), database.name());
            var connection = DriverManager.getConnection(url, database.user(), database.password());
            connection.setAutoCommit(false);
            connection.createStatement().execute("INSERT INTO things VALUES (" + id + ")");
            var cut = fault.apply(proxy);
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
            cut.get(5, TimeUnit.SECONDS);
        }
    }

    private static boolean isThere(Connection direct, int id) throws SQLException {
        try (var rows = direct.createStatement().executeQuery("SELECT 1 FROM things WHERE id = " + id)) {
            return rows.next();
        }
    }
}
