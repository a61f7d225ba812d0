package dev.waybill.contender;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Threads that commit one small transaction after another, as fast as they can or at a pace. */
final class Producers {

    private final Contender contender;
    private final AtomicLong next;

    Producers(Contender contender, long first) {
        this.contender = contender;
        this.next = new AtomicLong(first);
    }

    /**
     * Commits for so long.
     *
     * @param rate transactions per second of all threads together; zero for as many as possible
     */
    CommitTimes run(int threads, double rate, double seconds) throws InterruptedException {
        List<CommitTimes> parts = new ArrayList<>();
        List<Thread> workers = new ArrayList<>();
        long begin = System.nanoTime();
        long end = begin + (long) (seconds * 1e9);
        for (int i = 0; i < threads; i++) {
            CommitTimes part = new CommitTimes();
            parts.add(part);
            long gap = rate == 0 ? 0 : (long) (1e9 * threads / rate);
            long start = begin + gap * i / threads;
            Thread thread = new Thread(() -> produce(part, start, gap, end), "producer-" + i);
            workers.add(thread);
            thread.start();
        }
        for (Thread thread : workers) {
            thread.join();
        }
        return CommitTimes.of(parts, (System.nanoTime() - begin) / 1e9);
    }

    private void produce(CommitTimes part, long start, long gap, long end) {
        for (long turn = start; ; turn += gap) {
            for (long left = turn - System.nanoTime(); gap > 0 && left > 0; left = turn - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            long begin = System.nanoTime();
            if (begin >= end) {
                return;
            }
            BenchOrder order = new BenchOrder(next.getAndIncrement());
            try {
                contender.commit(List.of(order));
                part.committed(order.number(), begin, System.nanoTime());
            } catch (SQLException | RuntimeException e) {
                part.failed(e);
            }
        }
    }
}
