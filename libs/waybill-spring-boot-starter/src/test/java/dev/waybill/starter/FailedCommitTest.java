package dev.waybill.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.servers.FaultProxy;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.starter.shop.BusinessCode;
import dev.waybill.starter.shop.RunningShop;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** A COMMIT that fails, and one whose answer never comes: the broker gets what the database kept, and nothing else. */
@Servers({Server.MARIADB, Server.POSTGRESQL, Server.RABBITMQ})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FailedCommitTest {

    enum Place {
        MARIADB,
        POSTGRESQL,
        JPA_ON_POSTGRESQL
    }

    private RunningShop mariaDb;
    private RunningShop postgreSql;
    private RunningShop jpa;

    @BeforeAll
    void start(MariaDb mariaDbServer, PostgreSql postgreSqlServer, RabbitMq rabbitMq) throws Exception {
        mariaDb = RunningShop.start(mariaDbServer, rabbitMq, RunningShop.WITHOUT_JPA);
        postgreSql = RunningShop.start(postgreSqlServer, rabbitMq, RunningShop.WITHOUT_JPA);
        jpa = RunningShop.start(postgreSqlServer, rabbitMq);
    }

    @AfterAll
    void stop() throws Exception {
        mariaDb.close();
        postgreSql.close();
        jpa.close();
    }

    private RunningShop running(Place place) {
        return switch (place) {
            case MARIADB -> mariaDb;
            case POSTGRESQL -> postgreSql;
            case JPA_ON_POSTGRESQL -> jpa;
        };
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionCutBeforeTheCommitArrivesLeavesNothing(Place place) {
        RunningShop running = running(place);
        String order = TransactionPromises.order();
        running.expect(
                List.of(), it -> takeWhileCut(running, order, running.proxy().cutBefore(FaultProxy.COMMIT)));
        assertThat(running.hasOrder(order)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionCutAfterTheCommitArrivedSendsWhatTheDatabaseKept(Place place) {
        RunningShop running = running(place);
        String order = TransactionPromises.order();
        running.expect(
                List.of(order),
                it -> takeWhileCut(running, order, running.proxy().cutAfter(FaultProxy.COMMIT)));
        assertThat(running.hasOrder(order)).isTrue();
    }

    private static void takeWhileCut(RunningShop running, String order, CompletableFuture<Void> cut) {
        assertThatThrownBy(() ->
                        running.transaction().required(status -> running.shop().take(order, BusinessCode.JDBC)))
                .isInstanceOf(RuntimeException.class);
        assertThat(cut).succeedsWithin(5, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "JPA_ON_POSTGRESQL"})
    void aConstraintThatFailsAtCommitTakesTheEventWithIt(Place place) {
        RunningShop running = running(place);
        JdbcTemplate admin = running.database();
        admin.execute("CREATE TABLE shop_item (order_id VARCHAR(64) REFERENCES shop_order(id)"
                + " DEFERRABLE INITIALLY DEFERRED)");
        running.expect(
                List.of(),
                it -> assertThatThrownBy(() -> running.transaction().required(status -> {
                            running.shop().take(TransactionPromises.order(), BusinessCode.MYBATIS);
                            running.bean(JdbcTemplate.class)
                                    .update("INSERT INTO shop_item (order_id) VALUES ('nobody')");
                        }))
                        .isInstanceOf(RuntimeException.class));
    }

    /** The database answers such a COMMIT with ROLLBACK, and its driver reports success. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "JPA_ON_POSTGRESQL"})
    void aCommitThatTheDatabaseQuietlyTurnsIntoARollbackSendsNothing(Place place) {
        RunningShop running = running(place);
        running.expect(
                List.of(),
                it -> running.transaction().required(status -> {
                    running.shop().take(TransactionPromises.order(), BusinessCode.JDBC);
                    assertThatThrownBy(() -> running.bean(JdbcTemplate.class).execute("SELECT 1 / 0"))
                            .isInstanceOf(RuntimeException.class);
                }));
    }

    @Test
    void aConnectionThatTheServerKilledBeforeTheCommitLeavesNothing() {
        mariaDb.expect(
                List.of(),
                it -> assertThatThrownBy(() -> mariaDb.transaction().required(status -> {
                            mariaDb.shop().take(TransactionPromises.order(), BusinessCode.JDBC);
                            Long connection = mariaDb.bean(JdbcTemplate.class)
                                    .queryForObject("SELECT connection_id()", Long.class);
                            mariaDb.database().execute("KILL " + connection);
                        }))
                        .isInstanceOf(RuntimeException.class));
    }
}
