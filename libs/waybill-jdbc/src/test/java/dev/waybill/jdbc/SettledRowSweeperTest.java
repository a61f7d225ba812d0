package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.store.OutboxStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How old rows are found among many others, and how many rows are counted and read for that. */
class SettledRowSweeperTest {

    private static final Duration A_DAY = Duration.ofDays(1);
    private static final int MORE_THAN_A_CHUNK = 600;

    private final TestPool pool = new TestPool(TestPool.h2());
    private final OutboxStore store;

    SettledRowSweeperTest() {
        Ddl.apply(pool.connections(), OutboxLayouts.waybill());
        this.store = JdbcOutboxStore.builder(pool.connections()).build();
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void oldRowsBehindThousandsThatWaitAreFound() {
        insert("0100-", 2_000, "NEW", "2001-01-01");
        insert("0200-", 3, "SENT", "2001-01-01");

        assertThat(store.sweepSettled(A_DAY, 100)).isEqualTo(3);
        assertThat(store.backlog().fresh()).isEqualTo(2_000);
    }

    @Test
    void idsOfAnotherMakeAreFoundBehindThoseThatAreInTheOrderOfTime() {
        insert(idsOfNow(), MORE_THAN_A_CHUNK, "SENT", null);
        insert("order-", 3, "SENT", "2001-01-01");

        assertThat(store.sweepSettled(A_DAY, 2)).isEqualTo(2);
        assertThat(store.sweepSettled(A_DAY, 100)).isEqualTo(1);
        assertThat(store.backlog().sent()).isEqualTo(MORE_THAN_A_CHUNK);
    }

    @Test
    void aCallReadsABoundedPartOfTheTableAndTheNextOneGoesOn() {
        insert("0100-", 20_000, "NEW", "2001-01-01");
        insert("0200-", 3, "SENT", "2001-01-01");

        assertThat(store.sweepSettled(A_DAY, 100)).isZero();
        assertThat(store.sweepSettled(A_DAY, 100)).isEqualTo(3);
        insert("0000-", 1, "SENT", "2001-01-01");
        assertThat(store.sweepSettled(A_DAY, 100)).as("from the front again").isEqualTo(1);
    }

    @Test
    void sentRowsAreCountedUpToALimit() {
        insert("0100-", 10_001, "SENT", null);
        insert("0200-", 2, "NEW", null);

        assertThat(store.backlog()).isEqualTo(new OutboxStore.Backlog(2, 0, 10_000, 0, Duration.ZERO));
    }

    private static String idsOfNow() {
        return String.format("%08x-0000-7000-8000-", System.currentTimeMillis() >>> 16);
    }

    private void insert(String prefix, int rows, String status, String day) {
        String time = day == null ? "CURRENT_TIMESTAMP" : "TIMESTAMP WITH TIME ZONE '" + day + " 00:00:00+00'";
        String due = status.equals("SENT") ? "9999" : "9000";
        pool.execute(
                "INSERT INTO waybill_outbox (event_id, event_type, occurred_at, payload, status, due_at, created_at,"
                        + " sent_at) SELECT '" + prefix + "' || LPAD(CAST(x AS VARCHAR), 12, '0'), 'OrderCreated', "
                        + time
                        + ", '{}', '" + status + "', TIMESTAMP WITH TIME ZONE '" + due + "-12-31 00:00:00+00', " + time
                        + ", "
                        + (status.equals("SENT") ? time : "NULL") + " FROM SYSTEM_RANGE(1, " + rows + ")");
    }
}
