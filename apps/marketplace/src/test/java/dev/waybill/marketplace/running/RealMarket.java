package dev.waybill.marketplace.running;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.waybill.alert.AlertNotice;
import dev.waybill.alert.AlertSink;
import dev.waybill.message.BodyFormat;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servicetestkit.RabbitMqVhost;
import dev.waybill.servicetestkit.ServiceSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The service on MariaDB and RabbitMQ, with a database and a virtual host of its own. */
public final class RealMarket implements AutoCloseable {

    private final RabbitMqVhost rabbit;
    private final ServiceSettings settings;
    private final List<String> alerts = new CopyOnWriteArrayList<>();
    private final List<String> cleared = new CopyOnWriteArrayList<>();
    private RunningMarket service;

    private RealMarket(RabbitMqVhost rabbit, ServiceSettings settings) {
        this.rabbit = rabbit;
        this.settings = settings;
        this.service = run();
    }

    public static RealMarket start(MariaDb mariaDb, RabbitMq server, String... changes) throws IOException {
        RabbitMqVhost rabbit = RabbitMqVhost.open(server);
        return new RealMarket(
                rabbit,
                rabbit.addTo(ServiceSettings.onDatabase(mariaDb.freshDatabase()))
                        .set("waybill.alerts.interval", "500ms")
                        .change(changes));
    }

    private RunningMarket run() {
        return RunningMarket.start(
                settings, beans -> beans.registerBean(AlertSink.class, () -> new CollectedAlerts(alerts, cleared)));
    }

    /** Another process of the same service, on the same database and broker; its alerts are collected with the first one's. */
    public RunningMarket replica() {
        return run();
    }

    private record CollectedAlerts(List<String> raised, List<String> over) implements AlertSink {

        @Override
        public String name() {
            return "collected";
        }

        @Override
        public void tell(AlertNotice notice) {
            switch (notice.kind()) {
                case RAISED -> raised.add(notice.key() + " " + notice.detail());
                case ESCALATED -> {}
                case CLEARED -> over.add(notice.key());
            }
        }
    }

    /** Stops the service and starts it with other settings, on the same database and broker. */
    public void restart(String... changes) {
        service.close();
        settings.change(changes);
        service = run();
    }

    public RunningMarket service() {
        return service;
    }

    public RabbitMqVhost rabbit() {
        return rabbit;
    }

    /** Publishes an event as another service would. */
    public void publish(String routingKey, Event event) throws IOException {
        publish(
                routingKey,
                event.eventId(),
                new String(Envelope.encode(event, BodyFormat.SEVEN_FIELDS), StandardCharsets.UTF_8));
    }

    public void publish(String routingKey, String messageId, String body) throws IOException {
        rabbit.channel()
                .basicPublish(
                        "order.events.exchange",
                        routingKey,
                        new BasicProperties.Builder()
                                .messageId(messageId)
                                .deliveryMode(2)
                                .build(),
                        body.getBytes(StandardCharsets.UTF_8));
    }

    /** Every alert that was raised, by any replica. */
    public List<String> alerts() {
        return List.copyOf(alerts);
    }

    /** How often this alert was raised. */
    public long raised(String what) {
        return alerts.stream().filter(alert -> alert.startsWith(what + " ")).count();
    }

    /** How often this alert was over. */
    public long cleared(String what) {
        return cleared.stream().filter(what::equals).count();
    }

    @Override
    public void close() throws IOException {
        service.close();
        rabbit.close();
    }
}
