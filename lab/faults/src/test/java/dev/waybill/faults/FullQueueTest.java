package dev.waybill.faults;

import dev.waybill.message.Destination;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The consumer of a queue with a limit stands still for minutes, and RabbitMQ refuses what comes for that queue. */
@Servers({Server.POSTGRESQL, Server.RABBITMQ})
@Tag("outage")
class FullQueueTest {

    private static final int LIMIT = 1000;

    @Test
    void aFullQueueKillsNoEventSpendsNoAttemptAndSlowsNoOtherTopic(PostgreSql sql, RabbitMq broker)
            throws InterruptedException {
        try (RelayTestEnvironment environment = RelayTestEnvironment.of(sql, broker)) {
            String amqp = environment.spec.text("amqp");
            String exchange = environment.spec.text("topic");
            Map<String, Object> limit = Map.of("x-max-length", LIMIT, "x-overflow", "reject-publish");
            // The environment's own queue gets a copy of each message, also of one that the full queue refuses.
            try (RabbitMqArrivals limited = new RabbitMqArrivals(amqp, exchange, "faults.limited", limit);
                    RabbitMqArrivals others = new RabbitMqArrivals(amqp, "faults.others");
                    RefusedTopicLoad load = new RefusedTopicLoad(
                            environment, Destination.of("faults.others", "order.created"), others)) {
                load.flows();
                load.isRefusedBy(() -> limited.stall(2 * LIMIT));
                load.recoversAfter(limited::resume, limited);
            }
        }
    }
}
