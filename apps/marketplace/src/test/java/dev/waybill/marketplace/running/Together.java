package dev.waybill.marketplace.running;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Many callers at the same moment. */
public final class Together {

    private Together() {}

    public static <T> List<T> run(int callers, IntFunction<T> call) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        CountDownLatch gate = new CountDownLatch(1);
        try {
            List<Future<T>> started = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                int number = i;
                started.add(threads.submit(() -> {
                    gate.await();
                    return call.apply(number);
                }));
            }
            gate.countDown();
            List<T> results = new ArrayList<>();
            for (Future<T> one : started) {
                results.add(one.get(60, TimeUnit.SECONDS));
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }
}
