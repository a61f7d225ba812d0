package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.alert.AlertMonitor;
import dev.waybill.alert.AlertProbe;
import dev.waybill.alert.AlertRule;
import dev.waybill.alert.AlertRule.Step;
import dev.waybill.alert.OutboxProbe;
import dev.waybill.alert.Reading;
import dev.waybill.alert.WebhookFormat;
import dev.waybill.alert.WebhookSink;
import dev.waybill.jdbc.Ddl;
import dev.waybill.jdbc.JdbcAlertStore;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Scenario;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A webhook takes the connection and never answers, while alerts are raised all the time. The relay drains as it does without. */
@Servers({Server.POSTGRESQL, Server.RABBITMQ})
@Tag("scenario")
class HangingWebhookTest {

    private static final Duration LONG = Duration.ofMinutes(3);
    private static final int ROUNDS = Scenario.length(4, 1);
    private static final int EVENTS = Scenario.length(60_000, 3_000);
    private static final double AT_LEAST = 0.85;
    private static final int MORE_THAN_WAIT = 110;

    @Test
    void aWebhookThatHangsChangesNoRate(PostgreSql sql, RabbitMq broker) throws IOException {
        double quiet = 0;
        double hanging = 0;
        for (int round = 0; round < ROUNDS; round++) { // in turns, so that both see the same machine
            try (RelayTestEnvironment environment = RelayTestEnvironment.of(sql, broker)) {
                quiet = Math.max(quiet, drain(environment));
            }
            try (RelayTestEnvironment environment = RelayTestEnvironment.of(sql, broker)) {
                hanging = Math.max(hanging, drainBesideHangingWebhook(environment));
            }
        }
        Scenario.print(String.format(
                "[webhook] events a second: %.0f without alerts, %.0f beside a webhook that hangs, ratio %.2f (at least %.2f)",
                quiet, hanging, hanging / quiet, AT_LEAST));
        if (Scenario.isWhole()) { // the short form shows that all is sent, and is too short for a rate
            assertThat(hanging).isGreaterThanOrEqualTo(AT_LEAST * quiet);
        }
    }

    private static double drain(RelayTestEnvironment environment) {
        environment.fill(EVENTS);
        try (RelayNode node = new RelayNode(environment.spec)) {
            return drain(node);
        }
    }

    private static double drain(RelayNode node) {
        long begun = System.nanoTime();
        node.relay.start();
        await().atMost(LONG)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> node.relay.stats().sent() >= EVENTS);
        return EVENTS * 1e9 / (System.nanoTime() - begun);
    }

    private static double drainBesideHangingWebhook(RelayTestEnvironment environment) throws IOException {
        environment.fill(EVENTS);
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                RelayNode node = new RelayNode(environment.spec)) {
            Ddl.applyAlerts(node.dataSource);
            AtomicInteger alerts = new AtomicInteger(MORE_THAN_WAIT);
            AlertMonitor monitor = AlertMonitor.builder("shop", new JdbcAlertStore(node.dataSource))
                    .probe(new OutboxProbe(node.store))
                    .probe(otherAlertsAtEachLook(alerts))
                    .rules(List.of(
                            AlertRule.level("made", "made", Step.above(0)).each(AlertRule.Subject.EACH_TYPE)))
                    .sink(new WebhookSink(
                            URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/hook"),
                            WebhookFormat.DINGTALK,
                            Duration.ofHours(1)))
                    .interval(Duration.ofSeconds(1))
                    .build();
            monitor.start();
            try {
                await().atMost(LONG).until(() -> monitor.dropped() > 0); // it hangs, and its queue is full
                alerts.set(1);
                return drain(node);
            } finally {
                monitor.stop(Duration.ofMillis(100));
            }
        }
    }

    private static AlertProbe otherAlertsAtEachLook(AtomicInteger alerts) {
        AtomicInteger made = new AtomicInteger();
        return () -> Stream.generate(() -> new Reading("made", "type-" + made.incrementAndGet(), null, 1, ""))
                .limit(alerts.get())
                .toList();
    }
}
