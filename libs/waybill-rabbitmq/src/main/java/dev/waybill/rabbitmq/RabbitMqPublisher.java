package dev.waybill.rabbitmq;

import com.rabbitmq.client.Connection;
import dev.waybill.lifecycle.WarningThrottle;
import dev.waybill.message.LogText;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult.NotConfirmed;
import dev.waybill.transport.SendTarget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a connection and writes to it, from start to close. One thread writes, so a socket that takes no bytes stops
 * nobody else; a second one watches the clock. Messages may wait here while the first connection is made.
 */
final class RabbitMqPublisher {

    private static final Logger log = LoggerFactory.getLogger(RabbitMqPublisher.class);
    private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final String CLOSED = "the transport is closed";

    private final RabbitMqSettings settings;
    private final SizeLimit sizeLimit;
    private final Queue<PendingSend> queue = new ConcurrentLinkedQueue<>();
    private final Thread writer;
    private final Thread clock;
    private volatile @Nullable RabbitMqConnection connection;
    private volatile @Nullable ConnectionAttempt connecting;
    /** Why no connection could be made; null while one is up or being tried. */
    private volatile @Nullable String trouble;

    private final WarningThrottle warnings = new WarningThrottle();
    private volatile boolean closed;

    RabbitMqPublisher(RabbitMqSettings settings, SizeLimit sizeLimit) {
        this.settings = settings;
        this.sizeLimit = sizeLimit;
        this.writer = daemon(this::write, "writer");
        this.clock = daemon(this::watch, "clock");
    }

    void start() {
        writer.start();
        clock.start();
    }

    /** What stops every message now, or null. */
    @Nullable NotConfirmed obstacle() {
        RabbitMqConnection current = connection;
        String alarm = current == null ? null : current.blocked();
        if (alarm != null) {
            return new NotConfirmed(SendFailure.BLOCKED, alarm);
        }
        if (closed) {
            return new NotConfirmed(SendFailure.CONNECTION_LOST, CLOSED);
        }
        String why = trouble;
        return why == null ? null : new NotConfirmed(SendFailure.NO_CONNECTION, why);
    }

    /** The same for people, also before the first connection is made. */
    @Nullable String whyNothingIsSent() {
        NotConfirmed obstacle = obstacle();
        if (obstacle != null) {
            return obstacle.detail();
        }
        return connection == null ? "no connection yet to " + settings.endpoint() : null;
    }

    int sizeLimit() {
        return sizeLimit.bytes();
    }

    int frameMax() {
        RabbitMqConnection current = connection;
        return current == null ? settings.factory().getRequestedFrameMax() : current.frameMax();
    }

    boolean answers(SendTarget target) {
        RabbitMqConnection current = connection;
        return current != null && current.answers(target);
    }

    void take(PendingSend send) {
        queue.add(send);
        if (closed) {
            failQueued(SendFailure.CONNECTION_LOST, CLOSED);
        }
    }

    void wake() {
        LockSupport.unpark(writer);
    }

    void close() {
        closed = true;
        RabbitMqConnection current = connection;
        if (current != null) {
            current.leave(CLOSED);
        }
        ConnectionAttempt attempt = connecting;
        if (attempt != null) {
            attempt.abort();
        }
        failQueued(SendFailure.CONNECTION_LOST, CLOSED);
        wake();
        LockSupport.unpark(clock);
    }

    private void write() {
        long delay = settings.firstReconnectNanos();
        while (!closed) {
            long began = System.nanoTime();
            RabbitMqConnection fresh = connect();
            if (fresh != null) {
                serve(fresh);
                fresh.cut("connection given up");
                connection = null;
            }
            // A broker that hangs up at once is waited for like one that is not there.
            if (fresh != null && System.nanoTime() - began > SETTLED_NANOS) {
                delay = settings.firstReconnectNanos();
            } else if (!closed) {
                rest(delay);
                delay = Math.min(delay * 2, settings.lastReconnectNanos());
            }
        }
        failQueued(SendFailure.CONNECTION_LOST, CLOSED);
    }

    /** Senders wake the writer all the time; that must not turn the back-off into a storm. */
    private void rest(long nanos) {
        long until = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !closed; left = until - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    private @Nullable RabbitMqConnection connect() {
        ConnectionAttempt attempt = new ConnectionAttempt(settings);
        connecting = attempt;
        try {
            Connection opened = attempt.connect();
            RabbitMqConnection fresh =
                    new RabbitMqConnection(opened, attempt.socket(), sizeLimit, this::again, this::wake);
            connection = fresh;
            trouble = null;
            warnings.end();
            log.info("[RabbitMqTransport] Connected address={}:{}", opened.getAddress(), opened.getPort());
            if (closed) {
                fresh.leave(CLOSED);
            }
            return fresh;
        } catch (IOException | TimeoutException | RuntimeException e) {
            String why = "no connection to " + settings.endpoint() + ": " + e;
            if (warnings.isDue(System.nanoTime()) && !closed) {
                log.warn("[RabbitMqTransport] Sends nothing, trying on: {}", LogText.sentence(why));
            }
            trouble = why;
            failQueued(closed ? SendFailure.CONNECTION_LOST : SendFailure.NO_CONNECTION, why);
            return null;
        } finally {
            connecting = null;
        }
    }

    private void serve(RabbitMqConnection current) {
        while (current.ended() == null && !closed) {
            PendingSend send = current.blocked() == null ? queue.poll() : null;
            if (send == null) {
                current.uncork();
                if (current.ended() == null && !closed && (queue.isEmpty() || current.blocked() != null)) {
                    LockSupport.parkNanos(this, SETTLED_NANOS);
                }
            } else if (!send.settled()) {
                current.cork();
                current.publish(send);
            }
        }
        if (!closed) {
            log.warn("[RabbitMqTransport] Connection lost cause={}", LogText.sentence(current.ended()));
        }
    }

    private void again(List<PendingSend> sends) {
        sends.forEach(this::take);
        wake();
    }

    private void watch() {
        List<PendingSend> late = new ArrayList<>();
        while (!closed) {
            LockSupport.parkNanos(this, settings.tickNanos());
            long now = System.nanoTime();
            RabbitMqConnection current = connection;
            if (current != null) {
                current.expire(now, late, settings.sendTimeoutNanos());
            }
            for (PendingSend send : queue) {
                if (send.expired(now)) {
                    late.add(send);
                }
            }
            late.forEach(send -> expire(send, current));
            if (!late.isEmpty()) {
                queue.removeIf(PendingSend::settled);
                late.clear();
            }
        }
    }

    private void expire(PendingSend send, @Nullable RabbitMqConnection current) {
        String alarm = current == null ? null : current.blocked();
        if (alarm != null) {
            send.fail(SendFailure.BLOCKED, alarm);
        } else if (current == null) {
            send.fail(SendFailure.NO_CONNECTION, "no connection in time to " + settings.endpoint());
        } else {
            send.fail(SendFailure.TIMED_OUT, "no confirm within " + settings.sendTimeout());
        }
    }

    private void failQueued(SendFailure failure, String why) {
        for (PendingSend send = queue.poll(); send != null; send = queue.poll()) {
            send.fail(failure, why);
        }
    }

    private Thread daemon(Runnable work, String role) {
        Thread thread = new Thread(work, "waybill-" + settings.name() + "-" + role);
        thread.setDaemon(true);
        return thread;
    }
}
