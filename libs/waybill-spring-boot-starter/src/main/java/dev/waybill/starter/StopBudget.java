package dev.waybill.starter;

import dev.waybill.lifecycle.Lifecycle;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time that a stop of the whole application has. It runs from the first part that stops; each part gets what is left.
 * Consumers and dead letters stop together and leave a fifth to the relay, which writes what the broker confirmed: a stuck
 * handler must not make events be sent twice.
 */
public final class StopBudget {

    private static final Logger log = LoggerFactory.getLogger(StopBudget.class);
    private static final String PROPERTY = "waybill.stop-deadline";
    private static final int RELAY_SHARE = 5;
    /** A part that ends at its own deadline needs a moment to say so. */
    private static final Duration ANSWER = Duration.ofMillis(500);

    private final Duration whole;
    private long end;
    private boolean running;

    StopBudget(Duration whole) {
        if (whole.isNegative()) {
            throw new StartUpException(
                    PROPERTY,
                    PROPERTY + "=" + whole + " cannot be used: a deadline is not negative.",
                    "Change " + PROPERTY + ".",
                    null);
        }
        this.whole = whole;
    }

    /** A part starts: the next stop has the whole time again. */
    public synchronized void reset() {
        running = false;
    }

    /**
     * Stops parts that receive, all at once, within what is left without the relay's share.
     *
     * @return whether all were finished in time
     */
    public boolean stopReceiving(Collection<? extends Lifecycle> parts) {
        return stop(parts, left().minus(whole.dividedBy(RELAY_SHARE)));
    }

    /** Stops the relay within what is left; its share is kept for it whatever the other parts and the web server took. */
    boolean stopSending(Lifecycle relay) {
        Duration left = left();
        Duration share = whole.dividedBy(RELAY_SHARE);
        return stop(List.of(relay), left.compareTo(share) < 0 ? share : left);
    }

    private synchronized Duration left() {
        long now = System.nanoTime();
        if (!running) {
            running = true;
            end = now + whole.toNanos();
        }
        return Duration.ofNanos(end - now);
    }

    /** A part that does not keep its deadline, as behind a driver that hangs, is left behind on a daemon thread. */
    private static boolean stop(Collection<? extends Lifecycle> parts, Duration left) {
        Duration deadline = left.isNegative() ? Duration.ZERO : left;
        ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "waybill-stop");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Callable<Boolean>> stops = parts.stream()
                    .<Callable<Boolean>>map(part -> () -> part.stop(deadline))
                    .toList();
            boolean inTime = true;
            for (Future<Boolean> stop :
                    threads.invokeAll(stops, deadline.plus(ANSWER).toMillis(), TimeUnit.MILLISECONDS)) {
                inTime &= finished(stop);
            }
            return inTime;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            threads.shutdown();
        }
    }

    private static boolean finished(Future<Boolean> stop) throws InterruptedException {
        try {
            return stop.get();
        } catch (CancellationException e) {
            return false; // its time was over; the caller tells of it
        } catch (ExecutionException e) {
            log.warn("[Waybill] A part failed while it stopped", e.getCause());
            return false;
        }
    }

    @Override
    public String toString() {
        return PROPERTY + "=" + whole;
    }
}
