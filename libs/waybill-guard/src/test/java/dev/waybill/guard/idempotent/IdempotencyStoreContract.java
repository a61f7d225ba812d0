package dev.waybill.guard.idempotent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.guard.idempotent.Claim.Claimed;
import dev.waybill.guard.idempotent.Claim.Done;
import dev.waybill.guard.idempotent.Claim.InProgress;
import dev.waybill.guard.idempotent.Claim.OtherRequest;
import dev.waybill.guard.idempotent.Claim.StoredResult;
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

    /** Lets the lease or the keeping time of the subject end now, as if its time had passed. */
    void expire(Subject subject);

    static Subject subject() {
        return new Subject("test:" + UUID.randomUUID(), "print-1", "trace-1");
    }

    static Subject withPrint(Subject subject, String fingerprint) {
        return new Subject(subject.key(), fingerprint, subject.traceId());
    }

    default Claimed claimed(Subject subject) {
        return (Claimed) store().claim(subject, LEASE);
    }

    @Test
    default void theFirstClaimsAndTheSecondWaits() {
        Subject subject = subject();
        assertThat(store().claim(subject, LEASE)).isInstanceOf(Claimed.class);
        assertThat(store().claim(subject, LEASE)).isInstanceOf(InProgress.class);
    }

    @Test
    default void aCompletedRunIsRepeatedCharacterByCharacter() {
        Subject subject = subject();
        assertThat(store().complete(subject, claimed(subject), RESULT, DAY)).isTrue();
        assertThat(store().claim(subject, LEASE)).isEqualTo(new Done(RESULT));
    }

    @Test
    default void statusesAndMissingResultsAreKept() {
        Subject created = subject();
        store().complete(created, claimed(created), new StoredResult("1", 201), DAY);
        assertThat(store().claim(created, LEASE)).isEqualTo(new Done(new StoredResult("1", 201)));
        Subject large = subject();
        store().complete(large, claimed(large), new StoredResult(null, 200), DAY);
        assertThat(store().claim(large, LEASE)).isEqualTo(new Done(new StoredResult(null, 200)));
    }

    @Test
    default void anotherRequestUnderTheKeyIsToldApartBeforeAndAfterSuccess() {
        Subject subject = subject();
        Claimed claim = claimed(subject);
        assertThat(store().claim(withPrint(subject, "print-2"), LEASE)).isInstanceOf(OtherRequest.class);
        store().complete(subject, claim, RESULT, DAY);
        assertThat(store().claim(withPrint(subject, "print-2"), LEASE)).isInstanceOf(OtherRequest.class);
    }

    @Test
    default void aReleasedKeyIsFreeAlsoForAnotherRequest() {
        Subject subject = subject();
        assertThat(store().release(subject, claimed(subject))).isTrue();
        assertThat(store().claim(withPrint(subject, "print-2"), LEASE)).isInstanceOf(Claimed.class);
    }

    @Test
    default void aDeadOwnersKeyIsFreeAfterTheLease() {
        Subject subject = subject();
        Claimed first = claimed(subject);
        expire(subject);
        Claimed second = claimed(subject);
        assertThat(second.fence()).isGreaterThan(first.fence());
    }

    @Test
    default void aLateFinisherNeverOverwritesItsSuccessor() {
        Subject subject = subject();
        Claimed late = claimed(subject);
        expire(subject);
        Claimed successor = claimed(subject);
        assertThat(store().complete(subject, late, new StoredResult("\"late\"", 200), DAY))
                .isFalse();
        assertThat(store().claim(subject, LEASE)).isInstanceOf(InProgress.class);
        assertThat(store().complete(subject, successor, RESULT, DAY)).isTrue();
        assertThat(store().complete(subject, late, new StoredResult("\"late\"", 200), DAY))
                .isFalse();
        assertThat(store().release(subject, late)).isFalse();
        assertThat(store().claim(subject, LEASE)).isEqualTo(new Done(RESULT));
    }

    @Test
    default void aLateFinisherWithoutSuccessorIsStillRemembered() {
        Subject subject = subject();
        Claimed late = claimed(subject);
        expire(subject);
        assertThat(store().complete(subject, late, RESULT, DAY)).isTrue();
        assertThat(store().claim(subject, LEASE)).isEqualTo(new Done(RESULT));
    }

    @Test
    default void onlyTheHolderRenewsAndReleases() throws Exception {
        Subject subject = subject();
        Claimed held = claimed(subject);
        Claimed stranger = new Claimed(held.fence() + 1, held.createdAt());
        assertThat(store().renew(subject, held, LEASE).toCompletableFuture().get())
                .isTrue();
        assertThat(store().renew(subject, stranger, LEASE).toCompletableFuture().get())
                .isFalse();
        assertThat(store().release(subject, stranger)).isFalse();
        store().complete(subject, held, RESULT, DAY);
        assertThat(store().renew(subject, held, LEASE).toCompletableFuture().get())
                .isFalse();
        assertThat(store().release(subject, held)).isFalse();
    }

    @Test
    default void aResultIsForgottenAfterItsTime() {
        Subject subject = subject();
        store().complete(subject, claimed(subject), RESULT, DAY);
        expire(subject);
        assertThat(store().claim(subject, LEASE)).isInstanceOf(Claimed.class);
    }

    @Test
    default void ofTwoHundredClaimsOneWins() {
        Subject subject = subject();
        ExecutorService threads = Executors.newFixedThreadPool(32);
        try {
            List<CompletableFuture<Claim>> claims = IntStream.range(0, 200)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> store().claim(subject, LEASE), threads))
                    .toList();
            assertThat(claims.stream().map(CompletableFuture::join).filter(Claimed.class::isInstance))
                    .hasSize(1);
        } finally {
            threads.shutdownNow();
        }
    }
}
