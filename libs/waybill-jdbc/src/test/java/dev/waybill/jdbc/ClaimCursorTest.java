package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.jdbc.OutboxTable.DueRange;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClaimCursorTest {

    private static final DueRange RANGE = new DueRange("status = 'NEW'", false);
    private static final DueRange NO_DUE_TIME = new DueRange("due IS NULL", true);
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long CLOCK = 1_000_000_000L;
    private static final long TEN_SECONDS = 10_000_000L;

    @Test
    void aWalkGoesOnWhereItsLastStepEnded() {
        ClaimCursor cursor = new ClaimCursor(Set.of());
        cursor.begin(0);
        assertThat(cursor.reached(RANGE)).isNull();
        cursor.cameTo(RANGE, CLOCK - 5, CLOCK);
        assertThat(cursor.reached(RANGE)).isEqualTo(CLOCK - 5);
        cursor.claimed(true);
        assertThat(cursor.isWalking(SECOND - 1)).isTrue();
        assertThat(cursor.isWalking(SECOND)).isFalse();
        cursor.claimed(false);
        assertThat(cursor.isWalking(1)).isFalse();
    }

    @Test
    void eachWalkBeginsAtTheFrontWhileThatIsCheap() {
        ClaimCursor cursor = new ClaimCursor(Set.of());
        for (int walk = 0; walk < 5; walk++) {
            cursor.begin(walk);
            assertThat(cursor.reached(RANGE)).isNull();
            cursor.looked(walk % 2 == 0 ? SECOND : 1_000); // a hiccup now and then changes nothing
            cursor.cameToTheEnd(RANGE, CLOCK);
        }
    }

    @Test
    void whereTheFrontIsFarItIsLookedAtSeldomAndOtherWalksLeaveTimeForLateCommits() {
        ClaimCursor cursor = new ClaimCursor(Set.of());
        cursor.begin(0);
        cursor.looked(4 * SECOND);
        cursor.cameToTheEnd(RANGE, CLOCK);
        cursor.begin(5 * SECOND);
        assertThat(cursor.reached(RANGE)).as("once may be a hiccup").isNull();
        cursor.looked(5 * SECOND);
        cursor.cameToTheEnd(RANGE, CLOCK);

        cursor.begin(84 * SECOND);
        assertThat(cursor.reached(RANGE)).isEqualTo(CLOCK - TEN_SECONDS);
        cursor.looked(1); // says nothing about the front
        cursor.begin(85 * SECOND);
        assertThat(cursor.reached(RANGE)).isNull();
    }

    @Test
    void rowsWithoutADueTimeAreAlwaysLookedForFromTheFront() {
        ClaimCursor cursor = new ClaimCursor(Set.of());
        cursor.begin(0);
        cursor.cameToTheEnd(NO_DUE_TIME, CLOCK);
        assertThat(cursor.reached(NO_DUE_TIME)).isNull();
    }

    @Test
    void eachSetOfTopicsHasAPlaceOfItsOwn() {
        ClaimCursors cursors = new ClaimCursors();
        ClaimCursor withoutOne = cursors.of(Set.of("down"));
        withoutOne.begin(0);
        withoutOne.cameToTheEnd(RANGE, CLOCK);

        assertThat(cursors.of(Set.of()).reached(RANGE)).isNull();
        assertThat(cursors.of(Set.of("down"))).isSameAs(withoutOne);
    }
}
