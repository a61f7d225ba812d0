package dev.waybill.bench.contenders;

import java.util.BitSet;

/** Counts each confirm once, whether it comes alone or covers all before it. Called by one thread, the channel's. */
final class ConfirmCounter {

    private final BitSet ahead = new BitSet();
    private long low = 1;

    int upTo(long tag, boolean multiple) {
        int fresh = 0;
        if (multiple) {
            for (; low <= tag; low++) {
                fresh += shift() ? 0 : 1;
            }
            return fresh;
        }
        ahead.set((int) (tag & SLOTS));
        while (ahead.get((int) (low & SLOTS))) {
            shift();
            low++;
        }
        return 1;
    }

    /** Slots are reused, which is safe because the window is far smaller than their number. */
    private static final int SLOTS = 0xFFFF;

    private boolean shift() {
        int slot = (int) (low & SLOTS);
        boolean seen = ahead.get(slot);
        ahead.clear(slot);
        return seen;
    }
}
