package dev.waybill.guard.trace;

import dev.waybill.message.TraceParent;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * Makes trace and span ids. Unique, not secret: an id says which lines belong together and grants nothing.
 *
 * <p>{@code sampledShare} is the share of new traces that carry the sampled flag, because OpenTelemetry's parent-based sampler
 * obeys the flag of the parent that we hand to it.
 */
public final class TraceIds {

    private final RandomGenerator random;
    private final double sampledShare;

    private TraceIds(RandomGenerator random, double sampledShare) {
        this.random = random;
        this.sampledShare = sampledShare;
    }

    /** Ids for production. */
    public static TraceIds random(double sampledShare) {
        return new TraceIds(new PerThread(), sampledShare);
    }

    /** The same ids in every run, for tests. */
    public static TraceIds seeded(long seed) {
        return new TraceIds(new SplittableRandom(seed), 1.0);
    }

    TraceParent root() {
        return root(hex(random.nextLong()) + hex(nonZero()));
    }

    TraceParent root(String w3cTraceId) {
        return new TraceParent(w3cTraceId, spanId(), random.nextDouble() < sampledShare ? "01" : "00");
    }

    String spanId() {
        return hex(nonZero());
    }

    private long nonZero() {
        long value = random.nextLong();
        return value == 0 ? 1 : value;
    }

    private static String hex(long value) {
        return HexFormat.of().toHexDigits(value);
    }

    private static final class PerThread implements RandomGenerator {
        @Override
        public long nextLong() {
            return ThreadLocalRandom.current().nextLong();
        }
    }
}
