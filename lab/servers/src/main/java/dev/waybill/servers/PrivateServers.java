package dev.waybill.servers;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The servers in use by one test class, or by one run of a lab. {@link #close()} removes every database and virtual host
 * made through the handles, and starts again what was stopped, killed or paused.
 */
public final class PrivateServers implements AutoCloseable {

    private final Checkout checkout;
    private final Map<Server, ServerHandle> handles = new EnumMap<>(Server.class);

    private PrivateServers(Checkout checkout) {
        this.checkout = checkout;
    }

    /** Starts nothing yet; fails if the process does not run inside a checkout. */
    public static PrivateServers open() {
        return new PrivateServers(Checkout.find());
    }

    /** Makes sure that these servers answer; those that do not are started together. */
    public synchronized void acquire(Server... servers) {
        var missing = new ArrayList<ServerHandle>();
        for (var server : servers) {
            if (!handles.containsKey(server)) {
                var handle = handle(server);
                handles.put(server, handle);
                if (!handle.answers()) {
                    missing.add(handle);
                }
            }
        }
        try {
            startTogether(missing);
        } catch (ServerUnavailableException unavailable) {
            missing.forEach(handle -> handles.remove(handle.server()));
            throw unavailable;
        }
    }

    public MariaDb mariaDb() {
        return acquired(Server.MARIADB, MariaDb.class);
    }

    public MySql mySql() {
        return acquired(Server.MYSQL, MySql.class);
    }

    public PostgreSql postgreSql() {
        return acquired(Server.POSTGRESQL, PostgreSql.class);
    }

    public Redis redis() {
        return acquired(Server.REDIS, Redis.class);
    }

    public RabbitMq rabbitMq() {
        return acquired(Server.RABBITMQ, RabbitMq.class);
    }

    public RocketMq rocketMq() {
        return acquired(Server.ROCKETMQ, RocketMq.class);
    }

    /** Restores first, because removing a database needs its server. Every handle gets its turn before an error is thrown. */
    @Override
    public synchronized void close() {
        var errors = new ArrayList<RuntimeException>();
        for (var handle : handles.values()) {
            Stream.<Runnable>of(handle::restore, handle::removeLeftovers).forEach(step -> {
                try {
                    step.run();
                } catch (RuntimeException error) {
                    errors.add(error);
                }
            });
        }
        handles.clear();
        if (!errors.isEmpty()) {
            var first = errors.get(0);
            errors.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }

    private synchronized <T extends ServerHandle> T acquired(Server server, Class<T> type) {
        acquire(server);
        return type.cast(requireNonNull(handles.get(server)));
    }

    private ServerHandle handle(Server server) {
        var address = checkout.address(server);
        return switch (server) {
            case MARIADB -> new MariaDb(checkout, address);
            case MYSQL -> new MySql(checkout, address);
            case POSTGRESQL -> new PostgreSql(checkout, address);
            case REDIS -> new Redis(checkout, address);
            case RABBITMQ -> new RabbitMq(checkout, address);
            case ROCKETMQ -> new RocketMq(checkout, address);
        };
    }

    private void startTogether(List<ServerHandle> missing) {
        for (var handle : missing) {
            if (handle.address().isGiven()) {
                throw new ServerUnavailableException(handle.server().title() + " does not answer at " + handle.address()
                        + ", the address that " + handle.address().variable() + " gives.");
            }
        }
        if (missing.isEmpty()) {
            return;
        }
        checkout.services("up", missing.stream().map(ServerHandle::server).toArray(Server[]::new));
        missing.forEach(ServerHandle::awaitAnswer);
    }
}
