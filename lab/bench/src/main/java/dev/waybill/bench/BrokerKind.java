package dev.waybill.bench;

import dev.waybill.servers.Server;

/** Where events go. */
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
