package dev.waybill.guardbench;

import dev.waybill.guardbench.GuardBench.Contender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/** All callers at one contender for a while. */
final class Round {

    private Round() {}

    /** Decisions per second. */
    static double of(Contender contender, int callers, Duration length) throws InterruptedException {
        LongAdder decisions = new LongAdder();
        CountDownLatch ready = new CountDownLatch(callers);
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        long[] end = new long[1];
        for (int i = 0; i < callers; i++) {
            Thread thread = new Thread(() -> {
                ready.countDown();
                awaitStart(go);
                while (System.nanoTime() - end[0] < 0) {
                    contender.decide();
                    decisions.increment();
                }
            });
            thread.start();
            threads.add(thread);
        }
        ready.await();
        long start = System.nanoTime();
        end[0] = start + length.toNanos();
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        return decisions.sum() / ((System.nanoTime() - start) / 1e9);
    }

    private static void awaitStart(CountDownLatch go) {
        try {
            go.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
