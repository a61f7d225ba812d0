package dev.waybill.bench;

/** One broker to measure on: its raw confirmed rate, and a way to drain a backlog into it. */
interface Track extends AutoCloseable {

    String name();

    /** Sends so many messages of so many bytes in the client's fastest confirmed mode; returns messages per second. */
    double raw(int messages, int bytes);

    /** Drains a fresh backlog; returns events per second, from the start of the relay to the last settled row. */
    double drain(int events, int bytes);

    @Override
    void close();
}
