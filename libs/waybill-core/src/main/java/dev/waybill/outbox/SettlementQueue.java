package dev.waybill.outbox;

import dev.waybill.store.Settlement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.function.BooleanSupplier;

/**
 * Where settlements wait to be written. Many threads put them in, one takes them out, and it is woken for as many as it
 * asked for and not for each: at some thousands a second, a wake-up costs more than the settlement.
 */
final class SettlementQueue {

    private static final Duration PATIENCE = Duration.ofMillis(50);

    /** This many are worth a statement even if no more come soon. */
    private static final int WORTH_A_STATEMENT = 32;

    /** If none came for this long and none is on its way, none is waited for. */
    private static final Duration QUIET = Duration.ofMillis(15);

    private final int batch;
    private final Duration linger;
    private final ArrayDeque<Settlement> waiting = new ArrayDeque<>();
    private int awaited;
    private int unsettled;

    SettlementQueue(int batch, Duration linger) {
        this.batch = batch;
        this.linger = linger;
    }

    synchronized void add(Settlement settlement) {
        unsettled++;
        waiting.add(settlement);
        if (awaited > 0 && waiting.size() >= awaited) {
            awaited = 0;
            notifyAll();
        }
    }

    /**
     * Fills up a batch; returns after a moment when there is nothing. A quarter of a full batch is enough: while a full one
     * is written, what the next one holds would keep the sender waiting. While many come they wait for twice the linger,
     * because events that were looked for together are answered together, with a lull between.
     *
     * @param moreOnTheirWay whether events wait for their answer
     */
    void fill(Collection<Settlement> settlements, BooleanSupplier moreOnTheirWay) throws InterruptedException {
        if (settlements.isEmpty()) {
            await(1, PATIENCE.toNanos());
            if (size() == 0) {
                return;
            }
            int enough = Math.max(1, batch / 4);
            BooleanSupplier noMore = () -> !moreOnTheirWay.getAsBoolean();
            await(enough, linger.toNanos(), noMore);
            if (size() >= WORTH_A_STATEMENT) {
                await(enough, linger.toNanos(), noMore);
            }
        }
        takeInto(settlements, batch - settlements.size());
    }

    synchronized void takeInto(Collection<Settlement> settlements, int atMost) {
        for (int i = 0; i < atMost && !waiting.isEmpty(); i++) {
            settlements.add(waiting.remove());
        }
    }

    /** So many were written, or given up because their lease was lost. */
    synchronized void settled(int many) {
        unsettled -= many;
    }

    /** What has an answer that is not in its row yet: sent twice, if this process dies now. */
    synchronized int unsettled() {
        return unsettled;
    }

    synchronized int size() {
        return waiting.size();
    }

    /** Waits until there are so many, or the time is over. */
    synchronized void await(int many, long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; waiting.size() < many && left > 0; left = end - System.nanoTime()) {
            awaited = many;
            wait(left / 1_000_000, (int) (left % 1_000_000));
        }
        awaited = 0;
    }

    /** Waits until there are so many, or the time is over, or enough for a statement are there and no more come. */
    synchronized void await(int many, long nanos, BooleanSupplier noMore) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        int before = 0;
        for (long left = nanos; waiting.size() < many && left > 0; left = end - System.nanoTime()) {
            if (waiting.size() == before && before >= WORTH_A_STATEMENT && noMore.getAsBoolean()) {
                return;
            }
            before = waiting.size();
            await(many, Math.min(left, QUIET.toNanos()));
        }
    }
}
