package dev.waybill.starter.admin;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Counts by key and minute. It holds the {@value #KEYS} keys that came last, so that no flood of them fills the memory. */
final class CallCounter {

    static final int KEYS = 10_000;
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private record Calls(long since, int count) {}

    private final int free;
    private final LongSupplier nanoTime;
    private final Map<String, Calls> byKey = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Calls> eldest) {
            return size() > KEYS;
        }
    };

    CallCounter(int free, LongSupplier nanoTime) {
        this.free = free;
        this.nanoTime = nanoTime;
    }

    /** Counts one more; the seconds to wait when the minute's are used up. */
    OptionalLong count(String key) {
        return look(key, 1);
    }

    /** The seconds to wait when the minute's are used up. */
    OptionalLong waitOf(String key) {
        return look(key, 0);
    }

    private synchronized OptionalLong look(String key, int more) {
        long now = nanoTime.getAsLong();
        Calls before = byKey.get(key);
        if (before == null || now - before.since >= MINUTE) {
            before = new Calls(now, 0);
        }
        Calls calls = new Calls(before.since, Math.min(before.count, free) + more);
        if (more > 0) {
            byKey.put(key, calls);
        }
        return calls.count < free + more
                ? OptionalLong.empty()
                : OptionalLong.of(1 + TimeUnit.NANOSECONDS.toSeconds(MINUTE - (now - calls.since)));
    }
}
