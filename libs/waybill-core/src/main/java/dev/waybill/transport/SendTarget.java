package dev.waybill.transport;

/** What takes messages, or does not: one topic, or the whole broker. */
public sealed interface SendTarget {

    /** Everything behind one connection: while it is down, no topic is served. */
    SendTarget WHOLE_BROKER = new WholeBroker();

    static SendTarget topic(String name) {
        return new Topic(name);
    }

    /** For people, logs and metrics: the topic's name, or {@code *} for the whole broker. */
    String label();

    /** One topic (RocketMQ) or exchange (RabbitMQ). */
    record Topic(String name) implements SendTarget {

        @Override
        public String label() {
            return name;
        }
    }

    /** Every topic of the broker or cluster. */
    record WholeBroker() implements SendTarget {

        @Override
        public String label() {
            return "*";
        }
    }
}
