package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.Event;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import dev.waybill.store.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A backlog comes after a quiet hour: by PostgreSQL's statistics every row is settled. Rows that the relay holds are still
 * looked up by their keys, instead of walking everything that waits, for each batch.
 */
@Servers(Server.POSTGRESQL)
class SettlingPlanTest {

    private static final Lease MINE = new Lease("mine", Duration.ofMinutes(1));
    private static final int SETTLED = 3_000;
    private static final int WAITING = 3_000;
    private static final int BATCH = 1_000;

    private static final String SETTLE =
            "UPDATE {table} SET {status} = {SENT} WHERE {keyed} AND {fence} AND {stillClaimable}";

    @ParameterizedTest
    @EnumSource(TestTable.class)
    void rowsAreLookedUpByTheirKeysWhateverTheStatisticsSay(TestTable layout, PostgreSql server) throws SQLException {
        try (JdbcOutboxFixture fixture = new JdbcOutboxFixture(server.freshDatabase(), layout);
                Connection connection = fixture.pool().connections().getConnection()) {
            List<Settlement> done = append(fixture, SETTLED).stream()
                    .<Settlement>map(claimed -> new Settlement.Sent(claimed, null))
                    .toList();
            assertThat(fixture.store().settle(done)).isEqualTo(SETTLED);
            fixture.pool().execute("VACUUM ANALYZE " + layout.mapping.table());
            append(fixture, WAITING);
            fixture.makeDue();
            List<ClaimedRow> held = fixture.store().claim(MINE, BATCH, Set.of());
            assertThat(held).hasSize(BATCH);
            OutboxTable table = OutboxTable.open(connection, layout.mapping, "shop");
            for (String sql : List.of(OutboxLeaseRenewer.LOCK_HELD, SETTLE)) {
                SqlCall call = new SqlCall("EXPLAIN " + table.sql(sql))
                        .set("fence", table.fenceValue(held.get(0).fence()));
                List<String> plan = table.keyed(
                                call, held.stream().map(ClaimedRow::rowKey).toList())
                        .query(connection, row -> row.getString(1));
                assertThat(String.join("\n", plan))
                        .containsPattern("Index Cond: .*= ANY")
                        .doesNotContain("idx_", "Seq Scan");
            }
        }
    }

    private static List<ClaimedEvent> append(JdbcOutboxFixture fixture, int many) {
        return Stream.iterate(0, from -> from < many, from -> from + BATCH)
                .flatMap(from -> fixture
                        .inTransaction(() -> fixture.store()
                                .append(
                                        IntStream.range(0, BATCH)
                                                .mapToObj(i -> event())
                                                .toList(),
                                        MINE))
                        .stream())
                .toList();
    }

    private static Event event() {
        return Event.builder("OrderCreated")
                .aggregate("Order", "1")
                .bizKey(UUID.randomUUID().toString())
                .build();
    }
}
