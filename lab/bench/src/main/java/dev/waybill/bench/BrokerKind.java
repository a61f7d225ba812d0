package dev.waybill.bench;

import dev.waybill.servers.Server;

/** The brokers and queue types that events are sent to. */
enum BrokerKind {
    CLASSIC("RabbitMQ classic", Server.RABBITMQ),
    QUORUM("RabbitMQ quorum", Server.RABBITMQ),
    ROCKETMQ("RocketMQ", Server.ROCKETMQ);

    private final String title;
    private final Server server;

    BrokerKind(String title, Server server) {
        this.title = title;
        this.server = server;
    }

    String title() {
        return title;
    }

    Server server() {
        return server;
    }
}
