package dev.waybill.contender;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads for a contender that pushes after commit. While it is closed, pushes are lost, as they are when a process dies:
 * that is how a backlog comes to be.
 */
public final class AfterCommitExecutor implements Executor {

    private final ThreadPoolExecutor threads;
    private volatile boolean open;

    public AfterCommitExecutor(int size) {
        threads = new ThreadPoolExecutor(size, size, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    }

    public void open() {
        open = true;
    }

    /** Forgets what waits, and returns when what has begun is done. */
    public void close() {
        open = false;
        threads.getQueue().clear();
        while (threads.getActiveCount() > 0) {
            Thread.onSpinWait();
        }
    }

    public boolean isOpen() {
        return open;
    }

    public int waiting() {
        return threads.getQueue().size();
    }

    @Override
    public void execute(Runnable task) {
        if (open) {
            threads.execute(task);
        }
    }
}
