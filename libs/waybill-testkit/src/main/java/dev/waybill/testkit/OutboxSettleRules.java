package dev.waybill.testkit;

import static dev.waybill.testkit.OutboxFixture.RowState.DEAD;
import static dev.waybill.testkit.OutboxFixture.RowState.RETRYING;
import static dev.waybill.testkit.OutboxFixture.RowState.SENT;
import static dev.waybill.testkit.OutboxFixture.RowState.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Settle: every settlement is written as it says, and only once. */
interface OutboxSettleRules extends OutboxRules {

    @Test
    default void aSentRowKeepsTheBrokersIdAndTheTime() {
        appendDue(2);
        List<ClaimedEvent> claimed = claim(2);

        assertThat(store().settle(List.of(
                        new Settlement.Sent(claimed.get(0), "broker-0"), new Settlement.Sent(claimed.get(1), null))))
                .isEqualTo(2);

        OutboxFixture.StoredRow row = row(claimed.get(0));
        assertThat(row.state()).isEqualTo(SENT);
        assertThat(row.attempts()).isZero();
        assertThat(row.brokerId()).isEqualTo(fixture().traits().keepsBrokerId() ? "broker-0" : null);
        assertThat(row.sentAtKnown()).isEqualTo(fixture().traits().keepsSentAt());
        assertThat(row(claimed.get(1)).brokerId()).isNull();
    }

    @Test
    default void aRowThatWasSentAtLastNoLongerShowsTheErrorOfAnEarlierAttempt() {
        appendDue(1);
        store().settle(List.of(new Settlement.Retry(claim(1).get(0), Duration.ZERO, "NACKED: once")));
        fixture().makeDue();
        ClaimedEvent claimed = claim(1).get(0);

        store().settle(List.of(new Settlement.Sent(claimed, "broker-0")));

        assertThat(row(claimed).state()).isEqualTo(SENT);
        assertThat(row(claimed).attempts()).isEqualTo(1);
        assertThat(row(claimed).error()).isNull();
    }

    @Test
    default void aRetryCostsAnAttemptAndIsDueLater() {
        appendDue(2);
        List<ClaimedEvent> claimed = claim(2);

        store().settle(List.of(
                new Settlement.Retry(claimed.get(0), Duration.ofSeconds(40), "NACKED: first"),
                new Settlement.Retry(claimed.get(1), Duration.ofSeconds(80), "NACKED: second")));

        assertThat(row(claimed.get(0)).state()).isEqualTo(RETRYING);
        assertThat(row(claimed.get(0)).attempts()).isEqualTo(1);
        assertThat(row(claimed.get(0)).error()).isEqualTo("NACKED: first");
        assertThat(row(claimed.get(1)).error()).isEqualTo("NACKED: second");
        assertThat(row(claimed.get(0)).dueIn()).isBetween(Duration.ofSeconds(38), Duration.ofSeconds(42));
        assertThat(row(claimed.get(1)).dueIn()).isBetween(Duration.ofSeconds(78), Duration.ofSeconds(82));
        fixture().makeDue();
        assertThat(claim(10)).extracting(ClaimedEvent::attempts).containsExactly(1, 1);
    }

    @Test
    default void aLongErrorIsCutBetweenCharacters() {
        appendDue(3);
        List<ClaimedEvent> claimed = claim(3);
        String plain = "x".repeat(3_000);
        String wide = "错".repeat(3_000);
        String pairs = "a" + "😀".repeat(3_000);

        assertThat(store().settle(List.of(
                        new Settlement.Retry(claimed.get(0), Duration.ZERO, plain),
                        new Settlement.Retry(claimed.get(1), Duration.ZERO, wide),
                        new Settlement.Dead(claimed.get(2), pairs))))
                .isEqualTo(3);

        int length = fixture().traits().errorLength();
        assertThat(row(claimed.get(0)).error()).isEqualTo(plain.substring(0, length));
        assertThat(row(claimed.get(1)).error()).isEqualTo(wide.substring(0, length));
        String kept = Objects.requireNonNull(row(claimed.get(2)).error());
        assertThat(pairs).startsWith(kept);
        assertThat(kept.codePointCount(0, kept.length())).as("whole characters").isBetween(length / 2, length);
        assertThat(Character.isHighSurrogate(kept.charAt(kept.length() - 1))).isFalse();
    }

    @Test
    default void anErrorThatTheDatabaseCannotStoreIsWrittenAsFarAsPossible() {
        appendDue(1);
        ClaimedEvent claimed = claim(1).get(0);

        assertThat(store().settle(List.of(new Settlement.Dead(claimed, "nul \u0000 half \ud83d pair"))))
                .isEqualTo(1);
        assertThat(row(claimed).error()).startsWith("nul ").endsWith(" pair");
    }

    @Test
    default void aDeadRowKeepsItsError() {
        appendDue(1);
        ClaimedEvent claimed = claim(1).get(0);

        assertThat(store().settle(List.of(new Settlement.Dead(claimed, "TOO_LARGE: 5 MB"))))
                .isEqualTo(1);

        assertThat(row(claimed).state()).isEqualTo(DEAD);
        assertThat(row(claimed).attempts()).isEqualTo(1);
        assertThat(row(claimed).error()).isEqualTo("TOO_LARGE: 5 MB");
    }

    @Test
    default void aReleasedRowIsDueAtOnceAndKeepsItsAttempts() {
        appendDue(1);
        store().settle(List.of(new Settlement.Retry(claim(1).get(0), Duration.ZERO, "once")));
        fixture().makeDue();
        ClaimedEvent claimed = claim(1).get(0);

        assertThat(store().settle(List.of(new Settlement.Released(claimed, Duration.ZERO))))
                .isEqualTo(1);

        assertThat(row(claimed).state()).isEqualTo(RETRYING);
        assertThat(row(claimed).attempts()).isEqualTo(1);
        assertThat(otherStore().claim(THEIRS, 10, Set.of())).hasSize(1);
    }

    @Test
    default void aReleasedRowWaitsForItsDelay() {
        ClaimedEvent appended = append(MINE, events(1)).get(0);

        assertThat(store().settle(List.of(new Settlement.Released(appended, Duration.ofSeconds(30)))))
                .isEqualTo(1);

        assertThat(row(appended).state()).isEqualTo(WAITING);
        assertThat(row(appended).dueIn()).isBetween(Duration.ofSeconds(28), Duration.ofSeconds(32));
        assertThat(claim(10)).isEmpty();
    }

    @Test
    default void mixedSettlementsAreWrittenTogether() {
        appendDue(8);
        List<ClaimedEvent> c = claim(8);
        List<ClaimedEvent> handed = append(MINE, List.of(event(100), event(101)));

        int written = store().settle(List.of(
                new Settlement.Sent(c.get(0), "b0"),
                new Settlement.Retry(c.get(1), Duration.ofSeconds(10), "r1"),
                new Settlement.Sent(handed.get(0), "h0"),
                new Settlement.Dead(c.get(2), "d2"),
                new Settlement.Released(c.get(3), Duration.ZERO),
                new Settlement.Sent(c.get(4), null),
                new Settlement.Retry(c.get(5), Duration.ZERO, "r5"),
                new Settlement.Dead(handed.get(1), "h1"),
                new Settlement.Sent(c.get(6), "b6")));

        assertThat(written).isEqualTo(9);
        assertThat(c.stream().map(claimed -> row(claimed).state()))
                .containsExactly(SENT, RETRYING, DEAD, WAITING, SENT, RETRYING, SENT, WAITING);
        assertThat(row(handed.get(0)).state()).isEqualTo(SENT);
        assertThat(row(handed.get(1)).error()).isEqualTo("h1");
    }

    @Test
    default void whatIsSettledStaysSettled() {
        appendDue(1);
        ClaimedEvent claimed = claim(1).get(0);
        store().settle(List.of(new Settlement.Sent(claimed, "b")));
        String before = row(claimed).everything();

        assertThat(store().settle(List.of(new Settlement.Sent(claimed, "again"))))
                .isZero();
        assertThat(store().settle(List.of(new Settlement.Retry(claimed, Duration.ZERO, "again"))))
                .isZero();
        assertThat(store().settle(List.of(new Settlement.Dead(claimed, "again"))))
                .isZero();
        assertThat(store().settle(List.of(new Settlement.Released(claimed, Duration.ZERO))))
                .isZero();
        assertThat(store().renew(MINE, List.of(claimed))).isEmpty();
        assertThat(row(claimed).everything()).isEqualTo(before);
    }

    @Test
    default void settlingNothingDoesNothing() {
        assertThat(store().settle(List.of())).isZero();
    }
}
