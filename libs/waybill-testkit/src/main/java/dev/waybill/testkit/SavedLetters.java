package dev.waybill.testkit;

import dev.waybill.message.DeadLetter;
import dev.waybill.transport.DeadLetterQueue.Sink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A sink that saves letters in memory, after it has refused the first few. */
final class SavedLetters implements Sink {

    private final AtomicInteger refusals;
    private final List<DeadLetter> offered = new ArrayList<>();
    private final List<DeadLetter> saved = new ArrayList<>();

    SavedLetters() {
        this(0);
    }

    SavedLetters(int refusals) {
        this.refusals = new AtomicInteger(refusals);
    }

    @Override
    public synchronized void save(DeadLetter letter) {
        offered.add(letter);
        if (refusals.getAndDecrement() > 0) {
            throw new IllegalStateException("the sink's table is not there");
        }
        saved.add(letter);
    }

    synchronized List<DeadLetter> offered() {
        return List.copyOf(offered);
    }

    synchronized List<DeadLetter> saved() {
        return List.copyOf(saved);
    }

    /** Waits for so many letters and returns all that are there. */
    List<DeadLetter> await(int letters, Duration patience) {
        org.awaitility.Awaitility.await()
                .pollInterval(Duration.ofMillis(10))
                .atMost(patience)
                .until(() -> saved().size() >= letters);
        return saved();
    }
}
