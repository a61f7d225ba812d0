package dev.waybill.servicetestkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** Calls from many threads that start at the same moment. */
public final class ConcurrentCalls {

    private static final long MINUTES_A_CALL = 3;

    private ConcurrentCalls() {}

    /** Each call has a thread of its own. Returns the results in the order of the calls' numbers, which count from 0. */
    public static <T> List<T> run(int calls, IntFunction<T> call) {
        return run(calls, calls, call);
    }

    /** At most so many calls at once; the others follow as threads become free. */
    public static <T> List<T> run(int calls, int threads, IntFunction<T> call) {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        CountDownLatch start = new CountDownLatch(1);
        try {
            List<Future<T>> submitted = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                int number = i;
                submitted.add(pool.submit(() -> {
                    start.await();
                    return call.apply(number);
                }));
            }
            start.countDown();
            List<T> results = new ArrayList<>();
            for (Future<T> each : submitted) {
                results.add(result(each));
            }
            return results;
        } finally {
            pool.shutdownNow();
        }
    }

    private static <T> T result(Future<T> call) {
        try {
            return call.get(MINUTES_A_CALL, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            throw new AssertionError("a concurrent call failed", e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("a concurrent call took more than " + MINUTES_A_CALL + " minutes", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
