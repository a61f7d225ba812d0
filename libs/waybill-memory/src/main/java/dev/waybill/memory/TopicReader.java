package dev.waybill.memory;

import dev.waybill.message.LogText;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A reader of one topic. A reader that throws goes on with the next message. */
public final class TopicReader implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(TopicReader.class);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String name;
    private final MemoryTopic topic;
    private final Consumer<StoredMessage> reader;
    private final Thread thread;
    private volatile boolean closed;

    TopicReader(String name, MemoryTopic topic, Consumer<StoredMessage> reader) {
        this.name = name;
        this.topic = topic;
        this.reader = reader;
        this.thread = new Thread(this::run, "waybill-memory-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        MemoryTopic.Place place = new MemoryTopic.Place();
        while (!closed) {
            try {
                StoredMessage delivery = topic.next(place, PATIENCE_NANOS);
                if (delivery != null && !closed) {
                    reader.accept(delivery);
                }
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                log.error("[MemoryBroker] Reader failed topic={}", name, LogText.thrown(e));
            }
        }
    }

    /** Hands out nothing more; does not wait for the message in hand. */
    @Override
    public void close() {
        closed = true;
        if (Thread.currentThread() != thread) {
            thread.interrupt();
        }
    }
}
