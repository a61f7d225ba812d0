package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.store.EventFilter;
import dev.waybill.store.FoundEvent;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A span of time among numbers, where long transactions mix old rows with new ones. */
class OutboxKeySeekTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** Row n is written in second n; every other one says when its transaction began, ten minutes before. */
    @Test
    void rowsOfLongTransactionsHideNoOthers() {
        try (TestPool pool = new TestPool(TestPool.h2())) {
            Ddl.apply(pool.connections(), OutboxLayouts.ledgerEvents());
            pool.execute(
                    "INSERT INTO events (event_id, publisher_app, topic, event_type, biz_key, payload, status, created_at)"
                            + " SELECT x, 'shop', 'T', 'Paid', 'K' || x, '{}', 3, DATEADD(SECOND, CASE WHEN MOD(x, 2) = 0 THEN x - 600"
                            + " ELSE x END, TIMESTAMP WITH TIME ZONE '2026-01-01 00:00:00+00') FROM SYSTEM_RANGE(1, 4000)");
            JdbcOutboxReader reader = new JdbcOutboxReader(pool.connections(), OutboxLayouts.ledgerEvents(), "shop");

            for (long from = 30; from < 4_000; from += 331) {
                long since = from;
                List<FoundEvent> found = reader.search(
                                EventFilter.any().between(START.plusSeconds(since), START.plusSeconds(since + 100)),
                                200,
                                null)
                        .events();
                assertThat(found)
                        .extracting(event -> Long.valueOf(event.eventId()))
                        .as("from second %s", since)
                        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 4_000)
                                .filter(n -> born(n) >= since && born(n) < since + 100)
                                .boxed()
                                .toList());
            }
        }
    }

    private static long born(long n) {
        return n % 2 == 0 ? n - 600 : n;
    }
}
