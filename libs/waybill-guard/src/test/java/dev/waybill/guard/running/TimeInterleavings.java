package dev.waybill.guard.running;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * Runs a few calls at once, in every order in which their threads can read the time and then use it. Each call is held right
 * after it has read the time, and time passes before each step of the order. Needs no instrumented classes, so it runs on
 * every JDK.
 *
 * <p>A call that waits for another one's lock takes its step when the lock is free.
 */
public final class TimeInterleavings {

    public static final Duration STEP = Duration.ofSeconds(1);

    private static final long PATIENCE_NANOS = Duration.ofSeconds(20).toNanos();

    /** Calls that run at once, and what must hold when all of them are over. */
    public record Trial(List<Runnable> calls, Runnable verify) {}

    private TimeInterleavings() {}

    /** Every order of {@code calls} calls, two steps each: read the time, use it. */
    public static void runAll(int calls, Function<HeldTime, Trial> newTrial) {
        for (List<Integer> order : orders(new int[calls], List.of())) {
            HeldTime time = new HeldTime();
            Trial trial = newTrial.apply(time);
            run(order, time, trial.calls());
            try {
                trial.verify().run();
            } catch (AssertionError broken) {
                throw new AssertionError("in the order " + order + ": " + broken.getMessage(), broken);
            }
        }
    }

    private static List<List<Integer>> orders(int[] taken, List<Integer> begun) {
        List<List<Integer>> all = new ArrayList<>();
        for (int call = 0; call < taken.length; call++) {
            if (taken[call] < 2) {
                List<Integer> next = new ArrayList<>(begun);
                next.add(call);
                taken[call]++;
                all.addAll(orders(taken, next));
                taken[call]--;
            }
        }
        return all.isEmpty() ? List.of(begun) : all;
    }

    private static void run(List<Integer> order, HeldTime time, List<Runnable> calls) {
        List<Thread> threads = calls.stream().map(Thread::new).toList();
        threads.forEach(time::hold);
        for (int call : order) {
            time.advance(STEP);
            Thread thread = threads.get(call);
            if (thread.getState() == Thread.State.NEW) {
                thread.start();
            } else {
                time.letGo(thread);
            }
            awaitRest(thread, time);
        }
        threads.forEach(time::letGo);
        threads.forEach(TimeInterleavings::join);
    }

    private static void awaitRest(Thread thread, HeldTime time) {
        long began = System.nanoTime();
        while (!time.isHeld(thread)
                && thread.getState() != Thread.State.TERMINATED
                && thread.getState() != Thread.State.BLOCKED) {
            if (System.nanoTime() - began > PATIENCE_NANOS) {
                throw new AssertionError("the call neither reads the time nor ends nor waits: " + thread.getState());
            }
            Thread.onSpinWait();
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(Duration.ofNanos(PATIENCE_NANOS).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            throw new AssertionError("the call does not end: " + thread.getState());
        }
    }

    /** Time that holds whoever has read it. Threads that were not named read it freely. */
    public static final class HeldTime implements InstantSource {

        private static final class Hold {
            private final Semaphore permits = new Semaphore(0);
            private volatile boolean held;
        }

        private final ManualTime time = new ManualTime();
        private final Map<Thread, Hold> holds = new ConcurrentHashMap<>();

        public void advance(Duration by) {
            time.advance(by);
        }

        void hold(Thread thread) {
            holds.put(thread, new Hold());
        }

        boolean isHeld(Thread thread) {
            return holds.get(thread).held;
        }

        void letGo(Thread thread) {
            Hold hold = holds.get(thread);
            hold.held = false;
            hold.permits.release();
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis());
        }

        @Override
        public long millis() {
            long read = time.millis();
            Hold hold = holds.get(Thread.currentThread());
            if (hold != null) {
                hold.held = true;
                hold.permits.acquireUninterruptibly();
                hold.held = false;
            }
            return read;
        }
    }
}
