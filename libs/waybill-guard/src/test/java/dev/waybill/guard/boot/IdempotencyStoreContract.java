package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.guard.boot.KeyClaim.Claimed;
import dev.waybill.guard.boot.KeyClaim.Completed;
import dev.waybill.guard.boot.KeyClaim.OtherRequest;
import dev.waybill.guard.boot.KeyClaim.StillRunning;
import dev.waybill.guard.boot.KeyClaim.StoredResult;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every store of idempotency keys promises. */
interface IdempotencyStoreContract {

    Duration LEASE = Duration.ofSeconds(30);
    Duration DAY = Duration.ofHours(24);
    StoredResult RESULT = new StoredResult("{\"id\":123,\"text\":\"é \\\"q\\\" 😀 </x>\"}", 200);

    IdempotencyStore store();

    /** Lets the lease or the keeping time of the keyed end now, as if its time had passed. */
    void expire(KeyedRequest keyed);

    static KeyedRequest keyed() {
        return new KeyedRequest("test:" + UUID.randomUUID(), "print-1", "trace-1");
    }

    static KeyedRequest withPrint(KeyedRequest keyed, String fingerprint) {
        return new KeyedRequest(keyed.key(), fingerprint, keyed.traceId());
    }

    default Claimed claimed(KeyedRequest keyed) {
        return (Claimed) store().claim(keyed, LEASE);
    }

    @Test
    default void theFirstClaimsAndTheSecondWaits() {
        KeyedRequest keyed = keyed();
        assertThat(store().claim(keyed, LEASE)).isInstanceOf(Claimed.class);
        assertThat(store().claim(keyed, LEASE)).isInstanceOf(StillRunning.class);
    }

    @Test
    default void aCompletedRunIsRepeatedCharacterByCharacter() {
        KeyedRequest keyed = keyed();
        assertThat(store().complete(keyed, claimed(keyed), RESULT, DAY)).isTrue();
        assertThat(store().claim(keyed, LEASE)).isEqualTo(new Completed(RESULT));
    }

    @Test
    default void statusesAndMissingResultsAreKept() {
        KeyedRequest created = keyed();
        store().complete(created, claimed(created), new StoredResult("1", 201), DAY);
        assertThat(store().claim(created, LEASE)).isEqualTo(new Completed(new StoredResult("1", 201)));
        KeyedRequest own = keyed();
        StoredResult words = new StoredResult("{}", 202, "P1001", "售罄 😀 \"sold out\"");
        store().complete(own, claimed(own), words, DAY);
        assertThat(store().claim(own, LEASE)).isEqualTo(new Completed(words));
        KeyedRequest large = keyed();
        store().complete(large, claimed(large), new StoredResult(null, 200), DAY);
        assertThat(store().claim(large, LEASE)).isEqualTo(new Completed(new StoredResult(null, 200)));
    }

    @Test
    default void anotherRequestUnderTheKeyIsToldApartBeforeAndAfterSuccess() {
        KeyedRequest keyed = keyed();
        Claimed claim = claimed(keyed);
        assertThat(store().claim(withPrint(keyed, "print-2"), LEASE)).isInstanceOf(OtherRequest.class);
        store().complete(keyed, claim, RESULT, DAY);
        assertThat(store().claim(withPrint(keyed, "print-2"), LEASE)).isInstanceOf(OtherRequest.class);
    }

    @Test
    default void aReleasedKeyIsFreeAlsoForAnotherRequest() {
        KeyedRequest keyed = keyed();
        assertThat(store().release(keyed, claimed(keyed))).isTrue();
        assertThat(store().claim(withPrint(keyed, "print-2"), LEASE)).isInstanceOf(Claimed.class);
    }

    @Test
    default void aDeadOwnersKeyIsFreeAfterTheLease() {
        KeyedRequest keyed = keyed();
        Claimed first = claimed(keyed);
        expire(keyed);
        Claimed second = claimed(keyed);
        assertThat(second.fence()).isGreaterThan(first.fence());
    }

    @Test
    default void aLateFinisherNeverOverwritesItsSuccessor() {
        KeyedRequest keyed = keyed();
        Claimed late = claimed(keyed);
        expire(keyed);
        Claimed successor = claimed(keyed);
        assertThat(store().complete(keyed, late, new StoredResult("\"late\"", 200), DAY))
                .isFalse();
        assertThat(store().claim(keyed, LEASE)).isInstanceOf(StillRunning.class);
        assertThat(store().complete(keyed, successor, RESULT, DAY)).isTrue();
        assertThat(store().complete(keyed, late, new StoredResult("\"late\"", 200), DAY))
                .isFalse();
        assertThat(store().release(keyed, late)).isFalse();
        assertThat(store().claim(keyed, LEASE)).isEqualTo(new Completed(RESULT));
    }

    @Test
    default void aLateFinisherWithoutSuccessorIsStillRemembered() {
        KeyedRequest keyed = keyed();
        Claimed late = claimed(keyed);
        expire(keyed);
        assertThat(store().complete(keyed, late, RESULT, DAY)).isTrue();
        assertThat(store().claim(keyed, LEASE)).isEqualTo(new Completed(RESULT));
    }

    @Test
    default void onlyTheHolderRenewsAndReleases() throws Exception {
        KeyedRequest keyed = keyed();
        Claimed held = claimed(keyed);
        Claimed stranger = new Claimed(held.fence() + 1, held.createdAt());
        assertThat(store().renew(keyed, held, LEASE).toCompletableFuture().get())
                .isTrue();
        assertThat(store().renew(keyed, stranger, LEASE).toCompletableFuture().get())
                .isFalse();
        assertThat(store().release(keyed, stranger)).isFalse();
        store().complete(keyed, held, RESULT, DAY);
        assertThat(store().renew(keyed, held, LEASE).toCompletableFuture().get())
                .isFalse();
        assertThat(store().release(keyed, held)).isFalse();
    }

    @Test
    default void aResultIsForgottenAfterItsTime() {
        KeyedRequest keyed = keyed();
        store().complete(keyed, claimed(keyed), RESULT, DAY);
        expire(keyed);
        assertThat(store().claim(keyed, LEASE)).isInstanceOf(Claimed.class);
    }

    @Test
    default void ofTwoHundredClaimsOneWins() {
        KeyedRequest keyed = keyed();
        ExecutorService threads = Executors.newFixedThreadPool(32);
        try {
            List<CompletableFuture<KeyClaim>> claims = IntStream.range(0, 200)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> store().claim(keyed, LEASE), threads))
                    .toList();
            assertThat(claims.stream().map(CompletableFuture::join).filter(Claimed.class::isInstance))
                    .hasSize(1);
        } finally {
            threads.shutdownNow();
        }
    }
}
