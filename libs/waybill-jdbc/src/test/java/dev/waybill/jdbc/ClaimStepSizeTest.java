package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A claim's transaction locks about as many rows as fit into its bytes. */
class ClaimStepSizeTest {

    private static final long MEGABYTE = 1_000_000;

    private final ClaimStepSize size = new ClaimStepSize();

    @Test
    void smallRowsAreLockedByTheHundreds() {
        assertThat(size.rows(500, 4 * MEGABYTE)).isEqualTo(500);

        size.locked(Collections.nCopies(500, row(1_000)));

        assertThat(size.rows(500, 4 * MEGABYTE)).isEqualTo(500);
        assertThat(size.rows(25, 4 * MEGABYTE)).isEqualTo(25);
    }

    @Test
    void afterLargeRowsNoMoreAreLockedThanFit() {
        size.locked(Collections.nCopies(100, row(MEGABYTE)));

        assertThat(size.rows(500, 4 * MEGABYTE)).isEqualTo(4);
        assertThat(size.rows(500, 10)).as("always one").isEqualTo(1);
        assertThat(size.rows(2, 4 * MEGABYTE)).isEqualTo(2);
    }

    @Test
    void oneLargeRowAmongManySmallOnesHardlyCounts() {
        size.locked(LongStream.range(0, 500)
                .mapToObj(i -> row(i == 7 ? 4 * MEGABYTE : 1_000))
                .toList());

        assertThat(size.rows(500, 4 * MEGABYTE)).isGreaterThan(400);
    }

    @Test
    void smallRowsBehindLargeOnesAreSoonLockedByTheHundredsAgain() {
        size.locked(List.of(row(8 * MEGABYTE)));
        assertThat(size.rows(500, 4 * MEGABYTE)).isEqualTo(1);

        int steps = 0;
        while (size.rows(500, 4 * MEGABYTE) < 500 && steps++ < 20) {
            size.locked(Collections.nCopies(size.rows(500, 4 * MEGABYTE), row(1_000)));
        }

        assertThat(steps).isLessThan(15);
    }

    private static OutboxLockedRow row(long bytes) {
        return new OutboxLockedRow("1", 0, bytes, null);
    }
}
