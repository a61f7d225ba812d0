package dev.waybill.starter.observability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.memory.MemoryBroker;
import dev.waybill.message.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.CapturedLog;
import dev.waybill.starter.WaybillAutoConfiguration;
import dev.waybill.starter.broker.BrokerAutoConfiguration;
import dev.waybill.starter.inbox.InboxAutoConfiguration;
import dev.waybill.starter.inbox.WaybillListener;
import dev.waybill.store.OutboxStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.AbstractDoubleAssert;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What the gauges of tables show, and that they show nothing rather than something old. */
@Servers({Server.MARIADB, Server.POSTGRESQL})
class TableMetricsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Refuses everything. */
    static class Refusing {

        @WaybillListener(topic = "ORDERS", group = "g", types = "Refused")
        void refuse(Event event) {
            throw new IllegalStateException("never " + event.eventId());
        }
    }

    private static ApplicationContextRunner application(Database database) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        JdbcTemplateAutoConfiguration.class,
                        BrokerAutoConfiguration.class,
                        WaybillAutoConfiguration.class,
                        InboxAutoConfiguration.class,
                        TableMetricsAutoConfiguration.class))
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(Refusing.class)
                .withPropertyValues(
                        "spring.datasource.url=" + database.jdbcUrl(),
                        "spring.datasource.username=" + database.user(),
                        "spring.datasource.password=" + database.password(),
                        "waybill.broker=memory",
                        "waybill.outbox.ddl=apply",
                        "waybill.inbox.ddl=apply",
                        "waybill.inbox.retry-delays=10ms",
                        "waybill.metrics.refresh=2s",
                        "waybill.routes.Refused.topic=ORDERS");
    }

    @Test
    void theGaugesShowWhatMariaDbHolds(MariaDb server) {
        showWhatTheTablesHold(server.freshDatabase());
    }

    @Test
    void theGaugesShowWhatPostgreSqlHolds(PostgreSql server) {
        showWhatTheTablesHold(server.freshDatabase());
    }

    private static void showWhatTheTablesHold(Database database) {
        application(database).run(context -> {
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            MemoryBroker broker = context.getBean(MemoryBroker.class);
            broker.goDown();
            publish(context, Event.of("Refused", "{}"));
            eventually(() -> {
                assertBacklog(meters, "new").isPositive(); // the other one may be DEAD already
                assertBacklog(meters, "sent").isZero();
                assertThat(value(meters, "waybill.outbox.oldest.due")).isPositive();
            });
            broker.comeUp();
            eventually(() -> {
                assertBacklog(meters, "new").isZero();
                assertBacklog(meters, "sent").isEqualTo(1);
                assertBacklog(meters, "dead").isEqualTo(1);
                assertThat(meters.get("waybill.letters.unsettled")
                                .tag("state", "open")
                                .gauge()
                                .value())
                        .isEqualTo(1);
                assertThat(value(meters, "waybill.outbox.oldest.due")).isZero();
            });
            showNothingWhileATableIsAway(context.getBean(JdbcTemplate.class), meters);
        });
    }

    private static void showNothingWhileATableIsAway(JdbcTemplate jdbc, MeterRegistry meters) {
        try (CapturedLog log = new CapturedLog()) {
            jdbc.execute("ALTER TABLE waybill_dead_letter RENAME TO away");
            eventually(() -> assertThat(meters.get("waybill.letters.unsettled")
                            .tag("state", "open")
                            .gauge()
                            .value())
                    .isNaN());
            eventually(() -> assertThat(meters.get("waybill.metrics.refresh")
                            .tags("source", "letters", "outcome", "failed")
                            .timer()
                            .count())
                    .isGreaterThan(1));
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("[Metrics]"))
                    .hasSize(1);
            assertBacklog(meters, "dead").isEqualTo(1);
            jdbc.execute("ALTER TABLE away RENAME TO waybill_dead_letter");
            eventually(() -> assertThat(meters.get("waybill.letters.unsettled")
                            .tag("state", "open")
                            .gauge()
                            .value())
                    .isEqualTo(1));
        }
    }

    private static void eventually(Runnable assertion) {
        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(assertion::run);
    }

    private static AbstractDoubleAssert<?> assertBacklog(MeterRegistry meters, String state) {
        return assertThat(
                meters.get("waybill.outbox.backlog").tag("state", state).gauge().value());
    }

    private static double value(MeterRegistry meters, String gauge) {
        return meters.get(gauge).gauge().value();
    }

    /** The event, and one that becomes DEAD: a version of the application that had a route for it would have left it. */
    private static void publish(ApplicationContext context, Event event) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
            context.getBean(Outbox.class).publishAll(List.of(event));
            context.getBean(OutboxStore.class).append(List.of(Event.of("Unknown", "{}")), null);
        });
    }
}
