package dev.waybill.starter.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.alert.AlertNotice;
import dev.waybill.alert.AlertSink;
import dev.waybill.starter.StartUpException;
import dev.waybill.starter.WaybillAutoConfiguration;
import dev.waybill.starter.broker.BrokerAutoConfiguration;
import dev.waybill.starter.inbox.InboxAutoConfiguration;
import java.time.Duration;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;

/** An application that switches alerts on hears of dead rows by its log and by sinks of its own. */
@ExtendWith(OutputCaptureExtension.class)
class AlertsTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    BrokerAutoConfiguration.class,
                    WaybillAutoConfiguration.class,
                    InboxAutoConfiguration.class,
                    AlertAutoConfiguration.class))
            .withPropertyValues(
                    "spring.application.name=shop",
                    "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
                    "waybill.broker=memory",
                    "waybill.outbox.ddl=apply",
                    "waybill.default-route.topic=ORDERS",
                    "waybill.alerts.interval=100ms");

    static class Told implements AlertSink {

        final Queue<AlertNotice> notices = new ConcurrentLinkedQueue<>();

        @Override
        public String name() {
            return "told";
        }

        @Override
        public void tell(AlertNotice notice) {
            notices.add(notice);
        }
    }

    @Test
    void aDeadRowIsTold(CapturedOutput output) {
        application
                .withPropertyValues("waybill.alerts.enabled=true")
                .withBean(Told.class)
                .run(context -> {
                    context.getBean(JdbcTemplate.class)
                            .update("INSERT INTO waybill_outbox (event_id, event_type, occurred_at, headers, payload)"
                                    + " VALUES ('bad', 'OrderCreated', CURRENT_TIMESTAMP, 'not json', '{}')");
                    Told told = context.getBean(Told.class);
                    await().atMost(SOON).until(() -> !told.notices.isEmpty());
                    assertThat(told.notices.element().detail()).contains("type=unreadable", "error=UNSERIALISABLE");
                    await().atMost(SOON)
                            .until(() -> output.getOut()
                                    .contains("[Alerts] [ALERT] raised scope=shop alert=outbox-dead severity=WARNING"));
                });
    }

    @Test
    void aRuleOfThePropertiesTakesAStandingOnesPlaceOrTakesItAway() {
        application
                .withPropertyValues(
                        "waybill.alerts.enabled=true",
                        "waybill.alerts.rules.outbox-dead.subject=each-type",
                        "waybill.alerts.rules.outbox-dead.steps[0].above=5",
                        "waybill.alerts.rules.outbox-retrying.measure=outbox.retrying",
                        "waybill.alerts.rules.sends-failing.steps[0].above=9",
                        "waybill.alerts.rules.failing.measure=outbox.failed-sends",
                        "waybill.alerts.rules.failing.window=1m",
                        "waybill.alerts.rules.failing.steps[0].above=60",
                        "waybill.alerts.rules.failing.steps[0].severity=critical")
                .run(context -> assertThat(AlertRulesFactory.from(
                                context.getBean(dev.waybill.starter.WaybillProperties.class)
                                        .alerts(),
                                measure -> true))
                        .extracting(rule -> rule.name() + " " + rule.measure() + " " + rule.window() + " "
                                + rule.subject() + " " + rule.steps().get(0).above())
                        .contains(
                                "outbox-dead outbox.dead null EACH_TYPE 5.0",
                                "sends-failing outbox.failed-sends PT1M EACH_TYPE 9.0",
                                "failing outbox.failed-sends PT1M ALL 60.0")
                        .noneMatch(rule -> rule.startsWith("outbox-retrying")));
    }

    @Test
    void whatCannotWorkStopsTheStartAndNamesTheProperty() {
        application
                .withPropertyValues("waybill.alerts.enabled=true", "waybill.alerts.rules.mine.steps[0].above=5")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasRootCauseInstanceOf(StartUpException.class)
                        .hasStackTraceContaining("waybill.alerts.rules.mine.measure"));
        application
                .withPropertyValues(
                        "waybill.alerts.enabled=true",
                        "waybill.alerts.rules.mine.measure=outbox.ded",
                        "waybill.alerts.rules.mine.steps[0].above=5")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining(
                                "waybill.alerts.rules.mine.measure=outbox.ded is a figure that nobody reads"));
        application
                .withPropertyValues(
                        "waybill.alerts.enabled=true", "waybill.alerts.webhook=ftp://host/?access_token=abc")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("waybill.alerts.webhook cannot be used")
                        .satisfies(failure -> assertThat(failure).rootCause().hasMessageNotContaining("abc")));
        application.run(context -> {
            context.getBean(JdbcTemplate.class).execute("DROP TABLE IF EXISTS waybill_alert");
            assertThat(context).doesNotHaveBean(AlertLifecycle.class);
        });
    }
}
