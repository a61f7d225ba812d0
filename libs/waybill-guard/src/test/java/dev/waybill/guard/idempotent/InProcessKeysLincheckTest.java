package dev.waybill.guard.idempotent;

import dev.waybill.guard.idempotent.Claim.Claimed;
import dev.waybill.guard.idempotent.Claim.StoredResult;
import dev.waybill.guard.running.ManualTime;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Every interleaving of a few operations has the outcome of some order, one after the other. */
@Param(name = "key", gen = IntGen.class, conf = "1:2")
@Param(name = "print", gen = IntGen.class, conf = "1:2")
@Param(name = "fence", gen = IntGen.class, conf = "1:3")
public class InProcessKeysLincheckTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Subject[] SUBJECTS = {
        new Subject("k1", "p1", "t"),
        new Subject("k1", "p2", "t"),
        new Subject("k2", "p1", "t"),
        new Subject("k2", "p2", "t")
    };

    private final InProcessKeys keys = new InProcessKeys(100, new ManualTime());

    private static Subject subject(int key, int print) {
        return SUBJECTS[key * 2 + print - 3];
    }

    /** The number of a fence depends on the order, so only the kind of the outcome is compared. */
    @Operation
    public int claim(@Param(name = "key") int key, @Param(name = "print") int print) {
        Claim claim = keys.claim(subject(key, print), LEASE);
        if (claim instanceof Claim.Done done) {
            return 10 + done.result().httpStatus();
        }
        return claim instanceof Claimed ? 1 : claim instanceof Claim.InProgress ? 2 : 3;
    }

    @Operation
    public boolean complete(@Param(name = "key") int key, @Param(name = "fence") int fence) {
        return keys.complete(subject(key, 1), new Claimed(fence, 0), new StoredResult("x", 200 + fence), LEASE);
    }

    @Operation
    public boolean release(@Param(name = "key") int key, @Param(name = "fence") int fence) {
        return keys.release(subject(key, 1), new Claimed(fence, 0));
    }

    @Operation
    public boolean renew(@Param(name = "key") int key, @Param(name = "fence") int fence) {
        return keys.renew(subject(key, 1), new Claimed(fence, 0), LEASE)
                .toCompletableFuture()
                .join();
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
                .check(InProcessKeysLincheckTest.class);
    }
}
