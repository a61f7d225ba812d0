package dev.waybill.starter.inbox;

import dev.waybill.lifecycle.Lifecycle;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops several parts in parallel, because each of them may take the whole deadline. */
final class ParallelStop {

    private static final Logger log = LoggerFactory.getLogger(ParallelStop.class);

    private ParallelStop() {}

    /** Whether all were finished in time. */
    static boolean within(Duration deadline, Collection<Lifecycle> running) {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Callable<Boolean>> stops = running.stream()
                    .<Callable<Boolean>>map(one -> () -> one.stop(deadline))
                    .toList();
            boolean inTime = true;
            for (Future<Boolean> stop : threads.invokeAll(stops)) {
                inTime &= answer(stop);
            }
            return inTime;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            threads.shutdown();
        }
    }

    private static boolean answer(Future<Boolean> stop) throws InterruptedException {
        try {
            return stop.get();
        } catch (ExecutionException e) {
            log.warn("[Inbox] A subscription failed while it stopped", e.getCause());
            return false;
        }
    }
}
