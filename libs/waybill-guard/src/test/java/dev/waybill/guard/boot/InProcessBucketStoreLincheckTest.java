package dev.waybill.guard.boot;

import dev.waybill.guard.running.ManualTime;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Every interleaving of a few takes, plain and in slices, has the outcome of some order, one after the other. */
@Param(name = "key", gen = IntGen.class, conf = "1:2")
@Param(name = "cost", gen = IntGen.class, conf = "1:4")
public class InProcessBucketStoreLincheckTest {

    private static final String[] KEYS = {"", "k1", "k2"};
    private static final TokenBucket BUCKET = new TokenBucket(1, 6);

    private final ManualTime time = new ManualTime();
    private final InProcessBucketStore buckets = new InProcessBucketStore(100, time);

    private static long outcome(TakeResult take) {
        return take instanceof TakeResult.Granted granted
                ? granted.tokens() * 100 + granted.remaining()
                : -take.remaining() - 1;
    }

    @Operation
    public long take(@Param(name = "key") int key, @Param(name = "cost") int cost) {
        return outcome(buckets.take(KEYS[key], BUCKET, cost, cost));
    }

    @Operation
    public long takeSlice(@Param(name = "key") int key, @Param(name = "cost") int cost) {
        return outcome(buckets.take(KEYS[key], BUCKET, cost, 5));
    }

    @Test
    @DisabledForJreRange(
            min = JRE.JAVA_23,
            disabledReason = "the ASM inside of Lincheck 3.4 reads classes up to Java 22")
    void interleavingsAreLinearizable() {
        new ModelCheckingOptions()
                .iterations(8)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(1)
                .check(InProcessBucketStoreLincheckTest.class);
    }
}
