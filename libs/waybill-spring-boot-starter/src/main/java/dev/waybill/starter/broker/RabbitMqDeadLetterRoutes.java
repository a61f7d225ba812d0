package dev.waybill.starter.broker;

import dev.waybill.rabbitmq.DeadLetterRoute;
import dev.waybill.starter.StartUpException;
import dev.waybill.starter.WaybillProperties;
import dev.waybill.starter.WaybillProperties.DeadLetters;
import dev.waybill.starter.WaybillProperties.DeadLetters.By;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads from properties where RabbitMQ's dead letters go; what is said of a queue beside its declaration wins. */
final class RabbitMqDeadLetterRoutes {

    private static final String PREFIX = "waybill.rabbitmq.dead-letters";

    private RabbitMqDeadLetterRoutes() {}

    static Map<String, DeadLetterRoute> of(WaybillProperties.RabbitMq settings) {
        Map<String, DeadLetterRoute> routes = new TreeMap<>();
        settings.declare().queues().forEach(queue -> {
            String letters = queue.deadLetterQueue();
            if (queue.name() != null && letters != null && !letters.isBlank()) {
                routes.put(queue.name(), new DeadLetterRoute.Published(queue.deadLetterExchange(), letters, letters));
            }
        });
        settings.deadLettersOf()
                .forEach((queue, letters) -> routes.put(queue, route(PREFIX + "-of.[" + queue + "]", letters)));
        return routes;
    }

    static Optional<DeadLetterRoute> ofTheRest(WaybillProperties.RabbitMq settings) {
        return Optional.ofNullable(settings.deadLetters()).map(letters -> route(PREFIX, letters));
    }

    private static DeadLetterRoute route(String prefix, DeadLetters letters) {
        String queue = letters.queue();
        if (queue == null || queue.isBlank()) {
            throw new StartUpException(
                    prefix + ".queue",
                    "The dead letters of " + prefix + " have no queue.",
                    "Set " + prefix + ".queue to the one in which they end up.",
                    null);
        }
        String routingKey = letters.routingKey();
        return letters.by() == By.REJECTING
                ? new DeadLetterRoute.Rejected(queue)
                : new DeadLetterRoute.Published(letters.exchange(), routingKey == null ? queue : routingKey, queue);
    }
}
