package dev.waybill.outbox;

import dev.waybill.lifecycle.Worker;
import dev.waybill.message.LogText;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a relay going: when an {@link Error} ended its run, such as a heap that was full for a moment, another run begins
 * after a pause. The pauses grow while one run after the other ends soon.
 */
final class RelaySupervisor {

    private static final Logger log = LoggerFactory.getLogger("dev.waybill.outbox.OutboxRelay");

    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /** A run that lasted this long was a good one: after it the pauses begin with the first again. */
    private static final Duration GOOD_RUN = Duration.ofMinutes(1);

    private static final Duration LOOK = Duration.ofMillis(50);

    private final Function<Consumer<Error>, RelayRun> runs;
    private final RelayReporter reporter;
    private final Object state = new Object();
    private volatile RelayRun run;
    private volatile @Nullable Worker watch;
    private volatile boolean failed;
    private volatile boolean ended;
    private int begun;
    private long begunAt;
    private long failedAt;
    private Duration pause = FIRST_PAUSE;

    RelaySupervisor(Function<Consumer<Error>, RelayRun> runs, RelayReporter reporter) {
        this.runs = runs;
        this.reporter = reporter;
        this.run = newRun();
    }

    /** The run of this moment, or the last one. */
    RelayRun run() {
        return run;
    }

    /** A run that does not work by itself, for rounds by hand. */
    RelayRun idleRun() {
        if (ended) {
            run = newRun();
            ended = false;
        }
        return run;
    }

    boolean isStarted() {
        return watch != null;
    }

    /** Whether a run is under way, and not only the pause before the next one. */
    boolean isWorking() {
        return isStarted() && !failed;
    }

    void start() {
        pause = FIRST_PAUSE;
        begin();
        Worker started = new Worker("waybill-supervisor", this::step, reporter::failed);
        watch = started;
        started.start();
    }

    /** Ends the watch first, so that no run begins while the last one stops. */
    boolean stop(Duration deadline) {
        Worker watching = watch;
        if (watching == null) {
            return true;
        }
        long end = System.nanoTime() + deadline.toNanos();
        watching.requestStop();
        watching.join(deadline.dividedBy(10));
        watch = null;
        ended = true;
        if (failed) {
            return false; // leases return what the failed run held
        }
        return run.stop(Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime())));
    }

    private void step() throws InterruptedException {
        Thread.sleep(LOOK.toMillis());
        synchronized (state) {
            if (!failed || System.nanoTime() - failedAt < pause.toNanos()) {
                return;
            }
            Duration longer = pause.multipliedBy(2);
            pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
        }
        try {
            begin();
        } catch (Error e) { // no memory for a thread: the next try comes after a longer pause
            run.abandon();
            failed(begun, e);
            return;
        }
        telling(reporter::restarted);
    }

    /** With a full heap, or a listener's mistake, even telling may fail; the supervisor must outlive that. */
    private static void telling(Runnable tell) {
        try {
            tell.run();
        } catch (Throwable e) {
            log.error("[OutboxRelay] Could not tell what became of the relay", LogText.thrown(e));
        }
    }

    private void begin() {
        RelayRun next = newRun();
        run = next;
        ended = false;
        next.start();
    }

    private RelayRun newRun() {
        int number;
        synchronized (state) {
            number = ++begun;
            begunAt = System.nanoTime();
            failed = false;
        }
        return runs.apply(error -> failed(number, error));
    }

    /** Called on the thread that failed. What must happen comes before what needs memory. */
    private void failed(int number, Error error) {
        synchronized (state) {
            if (number != begun || failed) {
                return; // a thread of an earlier run, or one more of this one
            }
            failed = true;
            failedAt = System.nanoTime();
            if (failedAt - begunAt > GOOD_RUN.toNanos()) {
                pause = FIRST_PAUSE;
            }
        }
        telling(() -> reporter.failed(error));
    }
}
