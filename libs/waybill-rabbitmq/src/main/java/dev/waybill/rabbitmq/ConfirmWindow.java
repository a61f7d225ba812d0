package dev.waybill.rabbitmq;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The published but unconfirmed messages of one channel, by their number on it. A ring: the broker counts from 1
 * without gaps, so a number's place needs no search, and "everything up to here" is one walk.
 */
final class ConfirmWindow {

    private @Nullable PendingSend[] ring = new PendingSend[256];
    private long lowest = 1; // every number below is settled
    private long next = 1;
    private boolean closed;

    /** Takes the next number for this send; false when the window is closed. */
    synchronized boolean add(PendingSend send) {
        if (closed) {
            return false;
        }
        if (next - lowest == ring.length) {
            grow();
        }
        ring[place(next)] = send;
        next++;
        return true;
    }

    /** Takes out what a confirm speaks of, in order. */
    synchronized void take(long number, boolean upTo, List<PendingSend> into) {
        for (long n = upTo ? lowest : Math.max(number, lowest); n <= number && n < next; n++) {
            PendingSend send = ring[place(n)];
            if (send != null) {
                ring[place(n)] = null;
                into.add(send);
            }
        }
        advance();
    }

    /** The oldest send of this kind, which stays. Returns come in order, so the search is short. */
    synchronized @Nullable PendingSend find(Predicate<PendingSend> kind) {
        for (long n = lowest; n < next; n++) {
            PendingSend send = ring[place(n)];
            if (send != null && kind.test(send)) {
                return send;
            }
        }
        return null;
    }

    /** Takes out what has expired by now; a confirm that comes later finds an empty place. */
    synchronized void takeExpired(long now, List<PendingSend> into) {
        for (long n = lowest; n < next; n++) {
            PendingSend send = ring[place(n)];
            if (send != null && send.expired(now)) {
                ring[place(n)] = null;
                into.add(send);
            }
        }
        advance();
    }

    synchronized boolean isEmpty() {
        return lowest == next;
    }

    /** Ends the window and hands out what is left in it. */
    synchronized List<PendingSend> close() {
        closed = true;
        List<PendingSend> left = new ArrayList<>();
        take(next - 1, true, left);
        return left;
    }

    private void advance() {
        while (lowest < next && ring[place(lowest)] == null) {
            lowest++;
        }
    }

    private int place(long number) {
        return (int) (number & (ring.length - 1));
    }

    private void grow() {
        @Nullable PendingSend[] bigger = new PendingSend[ring.length * 2];
        for (long n = lowest; n < next; n++) {
            bigger[(int) (n & (bigger.length - 1))] = ring[place(n)];
        }
        ring = bigger;
    }
}
