package dev.waybill.marketplace.running;

import dev.waybill.marketplace.messaging.Alerts;
import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.RabbitMq;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** The service on MariaDB and RabbitMQ, with a database and a virtual host of its own. */
public final class RealMarket implements AutoCloseable {

    private final Rabbit rabbit;
    private final Map<String, String> settings;
    private final List<String> alerts = new CopyOnWriteArrayList<>();
    private RunningMarket service;

    private RealMarket(Rabbit rabbit, Map<String, String> settings) {
        this.rabbit = rabbit;
        this.settings = settings;
        this.service = run();
    }

    public static RealMarket start(MariaDb mariaDb, RabbitMq server, String... changes) throws Exception {
        Rabbit rabbit = new Rabbit(server);
        Map<String, String> settings = new HashMap<>(onMariaDb(mariaDb.freshDatabase()));
        settings.putAll(rabbit.settings());
        change(settings, changes);
        return new RealMarket(rabbit, settings);
    }

    public static Map<String, String> onMariaDb(Database database) {
        return Map.of(
                "spring.profiles.active", "real",
                "spring.datasource.url", database.jdbcUrl(),
                "spring.datasource.username", database.user(),
                "spring.datasource.password", database.password());
    }

    private static void change(Map<String, String> settings, String... changes) {
        for (String each : changes) {
            settings.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
        }
    }

    private RunningMarket run() {
        return RunningMarket.start(
                settings,
                context -> context.registerBean(Alerts.class, () -> (what, detail) -> alerts.add(what + " " + detail)));
    }

    /** Stops the service and starts it with other settings, on the same database and broker. */
    public void restart(String... changes) {
        service.close();
        change(settings, changes);
        service = run();
    }

    public RunningMarket service() {
        return service;
    }

    public Rabbit rabbit() {
        return rabbit;
    }

    /** Everything that a person was called for. */
    public List<String> alerts() {
        return List.copyOf(alerts);
    }

    @Override
    public void close() throws IOException {
        service.close();
        rabbit.close();
    }
}
