package dev.waybill.servers;

import java.util.Locale;

/** The six kinds of server that {@code ./dev services} knows. */
public enum Server {
    MARIADB("MariaDB"),
    MYSQL("MySQL"),
    POSTGRESQL("PostgreSQL"),
    REDIS("Redis"),
    RABBITMQ("RabbitMQ"),
    ROCKETMQ("RocketMQ");

    private final String title;

    Server(String title) {
        this.title = title;
    }

    /** The name as people write it. */
    public String title() {
        return title;
    }

    /** The name on the command line of {@code ./dev services}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
