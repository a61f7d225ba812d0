package dev.waybill.inbox;

import dev.waybill.lifecycle.Worker;
import dev.waybill.message.LogText;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finishes the replays of processes that died: looks at start-up and every few seconds. */
final class AbandonedReplays {

    private static final Logger log = LoggerFactory.getLogger(AbandonedReplays.class);
    private static final long LOOK_EVERY_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long NOTICE_A_STOP_MILLIS = 100;

    private final Supplier<List<StoredLetter>> left;
    private final DeadLetterReplayer replays;
    private long nextLook = System.nanoTime();
    private final Worker worker = new Worker(
            "waybill-replays",
            this::look,
            error -> log.error("[DeadLetters] Finishing abandoned replays died", LogText.thrown(error)));

    AbandonedReplays(Supplier<List<StoredLetter>> left, DeadLetterReplayer replays) {
        this.left = left;
        this.replays = replays;
    }

    void start() {
        worker.start();
    }

    boolean stop(Duration deadline) {
        return worker.join(deadline);
    }

    private void look() throws InterruptedException {
        if (System.nanoTime() - nextLook < 0) {
            TimeUnit.MILLISECONDS.sleep(NOTICE_A_STOP_MILLIS);
            return;
        }
        List<StoredLetter> letters = left.get();
        ReplayReport report = new ReplayReport();
        for (StoredLetter letter : letters) {
            if (report.brokerGone() || Thread.currentThread().isInterrupted()) {
                break; // the rest is taken over again in a while
            }
            replays.send(letter, report);
        }
        nextLook = System.nanoTime() + (letters.isEmpty() || report.brokerGone() ? LOOK_EVERY_NANOS : 0);
    }
}
