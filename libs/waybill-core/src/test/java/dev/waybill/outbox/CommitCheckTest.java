package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.store.ClaimedEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommitCheckTest {

    private final RelayParts parts = new RelayParts();
    private final CommitCheck check =
            new CommitCheck(parts.store, parts.inFlight, parts.queue, parts.settlements, parts.reporter);

    @Test
    void anEventThatWasLostAndAppendedAgainIsSentOnce() throws InterruptedException {
        ClaimedEvent lost = parts.append(RelayParts.MINE, "A", 1).get(0);
        ClaimedEvent again = new ClaimedEvent(lost.rowKey(), lost.event(), 0, lost.fence());
        handOff(lost);
        handOff(again);
        assertThat(parts.queue.reserved()).isEqualTo(2);

        check.step();

        assertThat(parts.queue.nextNow()).isSameAs(again);
        assertThat(parts.queue.nextNow()).isNull();
        assertThat(parts.queue.reserved()).isZero();
        parts.inFlight.remove(again);
        assertThat(parts.inFlight.handedOffBytes().used()).isZero();
        assertThat(parts.inFlight.size()).isZero();
    }

    @Test
    void aLookThatFailsInAnUnforeseenWayReleasesItsRows() throws InterruptedException {
        parts.store.beforeCommitCheck(() -> {
            throw new IllegalStateException("scripted");
        });
        handOff(parts.append(RelayParts.MINE, "A", 1).get(0));

        check.step();

        assertThat(parts.takeSettlements()).hasSize(1);
        assertThat(parts.queue.reserved()).isZero();
    }

    @Test
    void whatIsBeingLookedForStillCountsAsWaiting() throws InterruptedException {
        List<Integer> waiting = new ArrayList<>();
        parts.store.beforeCommitCheck(() -> waiting.add(check.waiting()));
        parts.append(RelayParts.MINE, "A", 2).forEach(this::handOff);

        check.step();

        assertThat(waiting).containsExactly(2);
        assertThat(check.waiting()).isZero();
    }

    private void handOff(ClaimedEvent event) {
        assertThat(parts.queue.reserve(1)).isTrue();
        assertThat(parts.inFlight.handedOffBytes().reserve(List.of(event.event())))
                .isTrue();
        parts.inFlight.addHandedOff(event, parts.hooks.now(), parts.hooks.now());
        check.add(event);
    }
}
