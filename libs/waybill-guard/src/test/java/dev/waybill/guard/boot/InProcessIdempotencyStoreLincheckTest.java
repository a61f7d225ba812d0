package dev.waybill.guard.boot;

import dev.waybill.guard.boot.KeyClaim.Claimed;
import dev.waybill.guard.boot.KeyClaim.StoredResult;
import dev.waybill.guard.running.ManualTime;
import java.time.Duration;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Every interleaving of a few operations, while time passes, has the outcome of some order, one after the other. */
@Param(name = "key", gen = IntGen.class, conf = "1:2")
@Param(name = "print", gen = IntGen.class, conf = "1:2")
@Param(name = "fence", gen = IntGen.class, conf = "1:3")
public class InProcessIdempotencyStoreLincheckTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final KeyedRequest[] SUBJECTS = {
        new KeyedRequest("k1", "p1", "t"),
        new KeyedRequest("k1", "p2", "t"),
        new KeyedRequest("k2", "p1", "t"),
        new KeyedRequest("k2", "p2", "t")
    };

    private final ManualTime time = new ManualTime();
    private final InProcessIdempotencyStore keys =
            new InProcessIdempotencyStore(new BoundedExpiringMap.Bounds(100, 1000), time);

    private static KeyedRequest keyed(int key, int print) {
        return SUBJECTS[key * 2 + print - 3];
    }

    /** The number of a fence depends on the order, so only the kind of the outcome is compared. */
    @Operation
    public int claim(@Param(name = "key") int key, @Param(name = "print") int print) {
        KeyClaim claim = keys.claim(keyed(key, print), LEASE);
        if (claim instanceof KeyClaim.Completed done) {
            return 10 + done.result().httpStatus();
        }
        return claim instanceof Claimed ? 1 : claim instanceof KeyClaim.StillRunning ? 2 : 3;
    }

    @Operation
    public boolean complete(@Param(name = "key") int key, @Param(name = "fence") int fence) {
        return keys.complete(keyed(key, 1), new Claimed(fence, 0), new StoredResult("x", 200 + fence), LEASE);
    }

    @Operation
    public boolean release(@Param(name = "key") int key, @Param(name = "fence") int fence) {
        return keys.release(keyed(key, 1), new Claimed(fence, 0));
    }

    @Operation
    public boolean renew(@Param(name = "key") int key, @Param(name = "fence") int fence) {
        return keys.renew(keyed(key, 1), new Claimed(fence, 0), LEASE)
                .toCompletableFuture()
                .join();
    }

    @Operation
    public void passLease() {
        time.advance(LEASE.plusSeconds(1));
    }

    /** The lease ends during the first thread's claim: if that one gets the key, it has it for a lease of its own. */
    @Test
    void interleavingsAreLinearizable() {
        Class<?> test = InProcessIdempotencyStoreLincheckTest.class;
        LincheckScenario.check(
                test,
                LincheckScenario.of(
                        LincheckScenario.call(test, "claim", 1, 1),
                        List.of(LincheckScenario.call(test, "claim", 1, 1)),
                        List.of(LincheckScenario.call(test, "passLease"), LincheckScenario.call(test, "renew", 1, 1)),
                        LincheckScenario.call(test, "claim", 1, 1)));
    }
}
