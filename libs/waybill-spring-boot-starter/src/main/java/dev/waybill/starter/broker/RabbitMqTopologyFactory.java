package dev.waybill.starter.broker;

import dev.waybill.rabbitmq.RabbitMqTopology;
import dev.waybill.starter.DeclareProperties;
import dev.waybill.starter.DeclareProperties.Binding;
import dev.waybill.starter.DeclareProperties.Exchange;
import dev.waybill.starter.DeclareProperties.Queue;
import dev.waybill.starter.DeclareProperties.QueueType;
import dev.waybill.starter.StartUpException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads from properties what is declared at RabbitMQ. */
final class RabbitMqTopologyFactory {

    private static final String PREFIX = "waybill.rabbitmq.declare";
    private static final Map<String, Object> CLASSIC = Map.of();
    private static final Map<String, Object> QUORUM = Map.of("x-queue-type", "quorum");

    private final RabbitMqTopology.Builder topology = RabbitMqTopology.builder();
    private final Set<String> exchanges = new HashSet<>();
    private final Set<String> queues = new HashSet<>();

    private RabbitMqTopologyFactory() {}

    static RabbitMqTopology of(DeclareProperties declare) {
        return new RabbitMqTopologyFactory().topology(declare);
    }

    private RabbitMqTopology topology(DeclareProperties declare) {
        for (int i = 0; i < declare.exchanges().size(); i++) {
            Exchange exchange = declare.exchanges().get(i);
            exchange(
                    given(exchange.name(), PREFIX + ".exchanges[" + i + "].name"),
                    exchange.type().name());
        }
        List<Queue> wanted = declare.queues();
        for (int i = 0; i < wanted.size(); i++) {
            Queue queue = wanted.get(i);
            String name = given(queue.name(), PREFIX + ".queues[" + i + "].name");
            queues.add(name);
            topology.queue(name, arguments(queue));
        }
        for (int i = 0; i < wanted.size(); i++) {
            deadLetters(wanted.get(i));
            bindings(wanted.get(i), PREFIX + ".queues[" + i + "]");
        }
        return topology.build();
    }

    private void exchange(String name, String type) {
        exchanges.add(name);
        topology.exchange(name, type.toLowerCase(Locale.ROOT));
    }

    private void deadLetters(Queue queue) {
        String letters = queue.deadLetterQueue();
        if (letters == null || letters.isBlank()) {
            return;
        }
        if (queues.add(letters)) {
            topology.queue(letters, ofType(queue.type()));
        }
        String exchange = queue.deadLetterExchange();
        if (!exchange.isEmpty()) {
            if (!exchanges.contains(exchange)) {
                exchange(exchange, "direct");
            }
            topology.binding(letters, exchange, letters);
        }
    }

    private void bindings(Queue queue, String property) {
        for (int i = 0; i < queue.bindings().size(); i++) {
            Binding binding = queue.bindings().get(i);
            topology.binding(
                    String.valueOf(queue.name()),
                    given(binding.exchange(), property + ".bindings[" + i + "].exchange"),
                    binding.routingKey());
        }
    }

    private static Map<String, Object> arguments(Queue queue) {
        Map<String, Object> arguments = new HashMap<>(ofType(queue.type()));
        String letters = queue.deadLetterQueue();
        if (letters != null && !letters.isBlank()) {
            arguments.put("x-dead-letter-exchange", queue.deadLetterExchange());
            arguments.put("x-dead-letter-routing-key", letters);
        }
        queue.arguments().forEach((name, value) -> arguments.put(name, typed(value)));
        return arguments;
    }

    /** Classic is what a queue is that says nothing: the broker would tell one that says so from one that does not. */
    private static Map<String, Object> ofType(QueueType type) {
        return type == QueueType.QUORUM ? QUORUM : CLASSIC;
    }

    /** The broker takes a limit only as a number and a switch only as a boolean. */
    private static Object typed(String value) {
        if (value.matches("-?\\d{1,18}")) {
            return Long.valueOf(value);
        }
        return value.equals("true") || value.equals("false") ? (Object) Boolean.valueOf(value) : value;
    }

    private static String given(@Nullable String value, String property) {
        if (value == null || value.isBlank()) {
            throw new StartUpException(property, property + " is missing.", "Set " + property + ".", null);
        }
        return value;
    }
}
