package dev.waybill.bench;

/** The place at the broker where one contender's events have to arrive. */
interface ReceivingQueue extends AutoCloseable {

    /** The address for clients. */
    String broker();

    /** RabbitMQ's exchange, which is also its queue's name, or RocketMQ's topic. */
    String exchange();

    String key();

    Arrivals arrivals();

    /** From now on, what is there and what comes is received. Without a listener it waits at the broker. */
    void listen();

    void stopListening();

    @Override
    void close();
}
