package dev.waybill.guard.boot;

import java.util.concurrent.atomic.AtomicLong;

/** How many bytes of incomplete bodies a server holds, and the most that it may. */
final class WaitingBytes {

    private final long most;
    private final AtomicLong held = new AtomicLong();

    WaitingBytes(long most) {
        this.most = most;
    }

    boolean take(int bytes) {
        if (held.addAndGet(bytes) <= most) {
            return true;
        }
        held.addAndGet(-bytes);
        return false;
    }

    void giveBack(int bytes) {
        held.addAndGet(-bytes);
    }
}
