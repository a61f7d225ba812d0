package dev.waybill.guard.boot;

import dev.waybill.guard.trace.Trace;
import dev.waybill.message.TraceId;
import dev.waybill.message.TraceParent;
import java.util.HexFormat;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Makes trace and span ids. They are unique but not secret: an id shows which log lines belong together and grants no
 * access.
 *
 * <p>{@code sampledShare} is the share of new traces that carry the sampled flag, because OpenTelemetry's parent-based
 * sampler obeys the flag of the parent that we hand to it.
 */
final class TraceIdGenerator {

    private final RandomGenerator random;
    private final double sampledShare;

    private TraceIdGenerator(RandomGenerator random, double sampledShare) {
        this.random = random;
        this.sampledShare = sampledShare;
    }

    /** Ids for production. */
    static TraceIdGenerator random(double sampledShare) {
        return new TraceIdGenerator(new PerThread(), sampledShare);
    }

    /** The same ids in every run, for tests. */
    static TraceIdGenerator seeded(long seed) {
        return new TraceIdGenerator(new SplittableRandom(seed), 1.0);
    }

    /** Names a request by the headers that it has, and makes what is missing. */
    Trace trace(@Nullable String traceIdHeader, @Nullable String traceparentHeader) {
        Optional<TraceParent> given = TraceParent.parse(traceparentHeader);
        if (traceIdHeader == null || !TraceId.isAcceptable(traceIdHeader)) {
            TraceParent parent = given.orElseGet(this::root);
            return new Trace(parent.traceId(), parent.withSpan(spanId()));
        }
        if (given.isPresent()) {
            return new Trace(traceIdHeader, given.get().withSpan(spanId()));
        }
        return new Trace(traceIdHeader, root(TraceParent.w3cTraceId(traceIdHeader)));
    }

    private TraceParent root() {
        return root(hex(random.nextLong()) + hex(nonZero()));
    }

    private TraceParent root(String w3cTraceId) {
        return new TraceParent(w3cTraceId, spanId(), random.nextDouble() < sampledShare ? "01" : "00");
    }

    private String spanId() {
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
