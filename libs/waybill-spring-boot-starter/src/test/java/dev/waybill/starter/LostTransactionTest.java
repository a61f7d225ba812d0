package dev.waybill.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.waybill.servers.MariaDb;
import dev.waybill.servers.MySql;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Scenario;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servers.SqlServer;
import dev.waybill.starter.shop.BusinessCode;
import dev.waybill.starter.shop.RunningShop;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Transactions that lose what they wrote and commit all the same: a deadlock whose error business code swallows, and savepoints
 * that are rolled back by SQL text. The messages at the broker are the rows in the table, exactly.
 */
@Servers({Server.MARIADB, Server.MYSQL, Server.POSTGRESQL, Server.RABBITMQ})
@Tag("scenario")
class LostTransactionTest {

    private static final int ROUNDS = Scenario.length(500, 10);

    @Test
    void whatASwallowedDeadlockRolledBackIsNeverSentOnMariaDb(MariaDb server, RabbitMq broker) throws Exception {
        deadlocks("MariaDB", server, broker);
    }

    @Test
    void whatASwallowedDeadlockRolledBackIsNeverSentOnMySql(MySql server, RabbitMq broker) throws Exception {
        deadlocks("MySQL", server, broker);
    }

    @Test
    void whatASavepointInSqlTextUndidIsNeverSentOnMariaDb(MariaDb server, RabbitMq broker) throws Exception {
        savepoints("MariaDB", server, broker);
    }

    @Test
    void whatASavepointInSqlTextUndidIsNeverSentOnMySql(MySql server, RabbitMq broker) throws Exception {
        savepoints("MySQL", server, broker);
    }

    @Test
    void whatASavepointInSqlTextUndidIsNeverSentOnPostgreSql(PostgreSql server, RabbitMq broker) throws Exception {
        savepoints("PostgreSQL", server, broker);
    }

    private static void deadlocks(String name, SqlServer server, RabbitMq broker) throws Exception {
        try (RunningShop shop = RunningShop.start(server, broker)) {
            shop.database().execute("CREATE TABLE contended (id INT PRIMARY KEY, n INT NOT NULL)");
            shop.database().execute("CREATE TABLE ballast (id INT PRIMARY KEY)");
            shop.database().execute("INSERT INTO contended VALUES (1, 0), (2, 0)");
            for (BusinessCode code : List.of(BusinessCode.JDBC, BusinessCode.MYBATIS, BusinessCode.JPA)) {
                List<String> kept = new ArrayList<>();
                shop.expect(kept, running -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        String after = order();
                        deadlock(running, code, after);
                        kept.add(after);
                    }
                });
                Scenario.print(String.format(
                        Locale.ROOT,
                        "[%s] %d deadlocks swallowed by code with %s: messages = committed rows = %d",
                        name,
                        ROUNDS,
                        code,
                        kept.size()));
            }
        }
    }

    /** Another transaction, which has written more and so is not the victim, wants the same two rows in the other order. */
    private static void deadlock(RunningShop shop, BusinessCode code, String after) {
        CountDownLatch otherHasTwo = new CountDownLatch(1);
        CountDownLatch victimHasOne = new CountDownLatch(1);
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> new TransactionTemplate(
                        new DataSourceTransactionManager(dataSource(shop)))
                .executeWithoutResult(status -> {
                    JdbcTemplate jdbc = shop.database();
                    for (int i = 0; i < 20; i++) {
                        jdbc.update("INSERT INTO ballast VALUES (?)", i);
                    }
                    jdbc.update("UPDATE contended SET n = n + 1 WHERE id = 2");
                    otherHasTwo.countDown();
                    await(victimHasOne);
                    jdbc.update("UPDATE contended SET n = n + 1 WHERE id = 1");
                    status.setRollbackOnly();
                }));
        shop.transaction().required(status -> {
            JdbcTemplate jdbc = shop.bean(JdbcTemplate.class);
            shop.shop().take(order(), code);
            jdbc.update("UPDATE contended SET n = n + 1 WHERE id = 1");
            await(otherHasTwo);
            victimHasOne.countDown();
            Throwable swallowed = catchThrowable(() -> jdbc.update("UPDATE contended SET n = n + 1 WHERE id = 2"));
            assertThat(swallowed).isInstanceOf(PessimisticLockingFailureException.class);
            shop.shop().take(after, BusinessCode.JDBC);
        });
        other.join();
    }

    private static void savepoints(String name, SqlServer server, RabbitMq broker) throws Exception {
        try (RunningShop shop = RunningShop.start(server, broker)) {
            for (BusinessCode code : List.of(BusinessCode.JDBC, BusinessCode.MYBATIS, BusinessCode.JPA)) {
                List<String> kept = new ArrayList<>();
                shop.expect(kept, running -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        String before = order();
                        running.transaction().required(status -> {
                            JdbcTemplate jdbc = running.bean(JdbcTemplate.class);
                            running.shop().take(before, code);
                            jdbc.execute("SAVEPOINT by_hand");
                            running.shop().take(order(), BusinessCode.JDBC);
                            jdbc.execute("ROLLBACK TO SAVEPOINT by_hand");
                        });
                        kept.add(before);
                    }
                });
                Scenario.print(String.format(
                        Locale.ROOT,
                        "[%s] %d savepoints rolled back by SQL text beside code with %s: messages = committed rows = %d",
                        name,
                        ROUNDS,
                        code,
                        kept.size()));
            }
        }
    }

    private static DataSource dataSource(RunningShop shop) {
        return Objects.requireNonNull(shop.database().getDataSource());
    }

    private static String order() {
        return "order-" + UUID.randomUUID();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
