package dev.waybill.lifecycle;

import java.time.Duration;
import java.util.List;

/** Workers that start and stop together; a stop gives them one deadline for all. */
public final class WorkerGroup {

    private final List<Worker> workers;

    public WorkerGroup(List<Worker> workers) {
        this.workers = List.copyOf(workers);
    }

    public void start() {
        workers.forEach(Worker::start);
    }

    /** Waits for the present rounds; interrupts those that are not over at the deadline. */
    public boolean stop(Duration deadline) {
        workers.forEach(Worker::requestStop);
        long end = System.nanoTime() + deadline.toNanos();
        boolean inTime = true;
        for (Worker worker : workers) {
            inTime &= worker.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
        }
        return inTime;
    }
}
