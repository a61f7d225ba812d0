package dev.waybill.starter.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.inbox.DeadLetters;
import dev.waybill.jdbc.ArchiveRestorer;
import dev.waybill.message.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.Relay;
import dev.waybill.starter.WaybillAutoConfiguration;
import dev.waybill.starter.broker.BrokerAutoConfiguration;
import dev.waybill.starter.inbox.InboxAutoConfiguration;
import dev.waybill.starter.inbox.WaybillListener;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.OutboxStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What is old goes by itself, and what still waits for somebody stays however old it is. */
class RetentionTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    BrokerAutoConfiguration.class,
                    WaybillAutoConfiguration.class,
                    InboxAutoConfiguration.class,
                    RetentionAutoConfiguration.class))
            .withPropertyValues(
                    "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
                    "waybill.broker=memory",
                    "waybill.outbox.ddl=apply",
                    "waybill.inbox.ddl=apply",
                    "waybill.inbox.retry-delays=10ms",
                    "waybill.inbox.sweep-interval=50ms",
                    "waybill.retention.interval=50ms",
                    "waybill.default-route.topic=ORDERS");

    static class Listener {

        @WaybillListener(topic = "ORDERS", group = "g", types = "Fine")
        void fine(Event event) {}

        @WaybillListener(topic = "ORDERS", group = "g", types = "Broken")
        void broken(Event event) {
            throw new IllegalStateException("broken");
        }
    }

    @Test
    void sentEventsGoAfterAWeekAndWhatIsYoungWaitsOrIsDeadStays() {
        application.run(context -> {
            Event old = Event.of("Fine", "1");
            Event young = Event.of("Fine", "2");
            Event dead = Event.of("Fine", "3");
            Event waiting = Event.of("Fine", "4");
            publish(context, old, young, dead);
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            await().until(() -> count(jdbc, "waybill_outbox WHERE status = 'SENT'") == 3);
            context.getBean(Relay.class).stop(Duration.ofSeconds(10));
            publish(context, waiting);
            jdbc.update("UPDATE waybill_outbox SET status = 'DEAD' WHERE event_id = ?", dead.eventId());
            jdbc.update(
                    "UPDATE waybill_outbox SET created_at = DATEADD('DAY', -8, created_at),"
                            + " sent_at = DATEADD('DAY', -8, sent_at) WHERE event_id <> ?",
                    young.eventId());
            await().untilAsserted(
                            () -> assertThat(jdbc.queryForList("SELECT event_id FROM waybill_outbox", String.class))
                                    .containsExactlyInAnyOrder(young.eventId(), dead.eventId(), waiting.eventId()));
        });
    }

    @Test
    void whatIsOldIsArchivedFirstAndComesBack(@TempDir Path folder) {
        application
                .withPropertyValues("waybill.retention.archive.folder=" + folder.resolve("archive"))
                .run(context -> {
                    Event event = Event.of("Fine", "1");
                    publish(context, event);
                    JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
                    await().until(() -> count(jdbc, "waybill_outbox WHERE status = 'SENT'") == 1);
                    jdbc.update("UPDATE waybill_outbox SET created_at = DATEADD('DAY', -8, created_at),"
                            + " sent_at = DATEADD('DAY', -8, sent_at)");
                    await().until(() -> count(jdbc, "waybill_outbox") == 0);
                    jdbc.execute("CREATE TABLE looked_at AS SELECT * FROM waybill_outbox");
                    jdbc.execute("ALTER TABLE looked_at ALTER COLUMN event_id SET NOT NULL");
                    jdbc.execute("ALTER TABLE looked_at ADD PRIMARY KEY (event_id)");

                    new ArchiveRestorer(context.getBean(DataSource.class))
                            .restore(folder.resolve("archive"), "waybill_outbox", "looked_at");

                    assertThat(jdbc.queryForList("SELECT event_id FROM looked_at", String.class))
                            .containsExactly(event.eventId());
                });
    }

    @Test
    void whatIsDeadGoesOnlyAtAnAgeThatSomebodySet() {
        application.withPropertyValues("waybill.retention.dead=7d").run(context -> {
            Event old = Event.of("Fine", "1");
            Event young = Event.of("Fine", "2");
            publish(context, old, young);
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            await().until(() -> count(jdbc, "waybill_outbox WHERE status = 'SENT'") == 2);
            jdbc.update("UPDATE waybill_outbox SET status = 'DEAD', sent_at = NULL,"
                    + " due_at = TIMESTAMP WITH TIME ZONE '9998-12-31 00:00:00+00'");
            jdbc.update(
                    "UPDATE waybill_outbox SET created_at = DATEADD('DAY', -8, created_at) WHERE event_id = ?",
                    old.eventId());
            await().untilAsserted(
                            () -> assertThat(jdbc.queryForList("SELECT event_id FROM waybill_outbox", String.class))
                                    .containsExactly(young.eventId()));
        });
    }

    @Test
    void anOutboxInPartitionsKeepsRowsLongerAndTheInboxHasToRememberThat() {
        application
                .withPropertyValues(
                        "waybill.outbox.ddl=none", "waybill.outbox.partitions=2d", "waybill.retention.sent=11d")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("waybill.retention.sent")
                        .hasStackTraceContaining("two periods longer"));
    }

    @Test
    void theAuditGoesAfterAYear() {
        application.run(context -> {
            Event event = Event.of("Fine", "1");
            publish(context, event);
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            await().until(() -> count(jdbc, "waybill_outbox WHERE status = 'SENT'") == 1);
            jdbc.update("UPDATE waybill_outbox SET status = 'DEAD'");
            context.getBean(OutboxStore.class).discard(List.of(event.eventId()), new OperatorDecision("ops", "no use"));
            assertThat(count(jdbc, "waybill_audit")).isEqualTo(1);
            jdbc.update("UPDATE waybill_audit SET decided_at = DATEADD('DAY', -366, decided_at)");
            await().until(() -> count(jdbc, "waybill_audit") == 0);
        });
    }

    @Test
    void settledLettersAndFailuresGoAfterThirtyDaysAndOpenLettersStay() {
        application.withBean(Listener.class).run(context -> {
            publish(context, Event.of("Broken", "1"), Event.of("Broken", "2"));
            DeadLetters letters = context.getBean(DeadLetters.class);
            await().until(() -> letters.count(Filter.any()) == 2);
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            long discarded = letters.list(Filter.any(), 10, 0).get(0).id();
            long open = letters.list(Filter.any(), 10, 0).get(1).id();
            letters.discard(List.of(discarded), new OperatorDecision("ops", "no use"));
            jdbc.update("UPDATE waybill_dead_letter SET dead_at = DATEADD('DAY', -31, dead_at),"
                    + " changed_at = DATEADD('DAY', -31, changed_at)");
            jdbc.update("UPDATE waybill_inbox SET created_at = DATEADD('DAY', -31, created_at),"
                    + " done_at = DATEADD('DAY', -31, done_at)");
            await().until(() -> count(jdbc, "waybill_inbox WHERE status = 'FAILED'") == 0);
            await().untilAsserted(() -> assertThat(jdbc.queryForList("SELECT id FROM waybill_dead_letter", Long.class))
                    .containsExactly(open));
        });
    }

    @Test
    void switchedOffNothingIsDeleted() {
        application
                .withPropertyValues("waybill.retention.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(RetentionJob.class));
    }

    @Test
    void anApplicationThatLeavesTheOutboxOutStarts() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(RetentionAutoConfiguration.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(RetentionJob.class));
    }

    @ParameterizedTest
    @CsvSource({
        "waybill.retention.sent, 15d, waybill.inbox.retention",
        "waybill.retention.sent, 1m, younger than an hour",
        "waybill.retention.audit, 0s, younger than an hour",
        "waybill.retention.interval, 0s, longer than zero",
        "waybill.retention.dead, 6d, 7 days at least",
        "waybill.retention.archive.folder, /dev/null/archive, cannot be written",
        "waybill.outbox.partitions, 1d, H2 has no partitions"
    })
    void agesThatBreakAPromiseStopTheStartAndNameTheProperty(String property, String value, String reason) {
        application
                .withPropertyValues(property + "=" + value)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining(property)
                        .hasStackTraceContaining(reason));
    }

    private static void publish(ApplicationContext context, Event... events) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> context.getBean(Outbox.class).publishAll(List.of(events)));
    }

    private static int count(JdbcTemplate jdbc, String from) {
        Integer rows = jdbc.queryForObject("SELECT COUNT(*) FROM " + from, Integer.class);
        return rows == null ? 0 : rows;
    }
}
