package dev.waybill.rocketmq;

import dev.waybill.transport.TransportException;
import dev.waybill.transport.TransportException.Reason;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** RocketMQ's delays: a table of levels, the broker's default one. A delay between two levels waits for the longer. */
final class DelayLevels {

    private static final List<Duration> TABLE = Stream.of(
                    "1s 5s 10s 30s 1m 2m 3m 4m 5m 6m 7m 8m 9m 10m 20m 30m 1h 2h".split(" "))
            .map(level -> Duration.parse("PT" + level))
            .toList();

    private DelayLevels() {}

    /** The level, from 1; 0 for no delay. */
    static int of(Duration delay) {
        if (delay.isZero()) {
            return 0;
        }
        for (int i = 0; i < TABLE.size(); i++) {
            if (TABLE.get(i).compareTo(delay) >= 0) {
                return i + 1;
            }
        }
        throw new TransportException(
                Reason.BAD_SETTING, "retryDelays: " + delay + " is longer than RocketMQ's longest delay, 2 h", null);
    }
}
