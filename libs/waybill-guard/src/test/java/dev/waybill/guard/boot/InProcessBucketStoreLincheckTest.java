package dev.waybill.guard.boot;

import dev.waybill.guard.running.ManualTime;
import java.time.Duration;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Every interleaving of a few takes, plain and in slices, while time passes, has the outcome of some order, one after the other. */
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

    @Operation
    public void passSecond() {
        time.advance(Duration.ofSeconds(1));
    }

    /** The bucket is empty, and the second that passes during the first take brings one token, not two. */
    @Test
    void interleavingsAreLinearizable() {
        Class<?> test = InProcessBucketStoreLincheckTest.class;
        LincheckScenario.check(
                test,
                LincheckScenario.of(
                        LincheckScenario.call(test, "takeSlice", 1, 6),
                        List.of(LincheckScenario.call(test, "take", 1, 1)),
                        List.of(LincheckScenario.call(test, "passSecond"), LincheckScenario.call(test, "take", 1, 1)),
                        LincheckScenario.call(test, "take", 1, 1)));
    }
}
