package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.MySql;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.store.AuditReader.AuditRecord;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.PauseStore.PausedPart;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What people pause is there for every replica until somebody resumes it, and both are audited. */
@Servers({Server.MARIADB, Server.MYSQL, Server.POSTGRESQL})
class PauseStoreTest {

    private static final OperatorDecision OUTAGE = new OperatorDecision("ann", "the broker's disk is full");
    private static final OperatorDecision MENDED = new OperatorDecision("bob", "it is not any more");

    @Test
    void onMariaDb(MariaDb server) {
        pausesAndResumes(server.freshDatabase());
    }

    @Test
    void onMySql(MySql server) {
        pausesAndResumes(server.freshDatabase());
    }

    @Test
    void onPostgreSql(PostgreSql server) {
        pausesAndResumes(server.freshDatabase());
    }

    @Test
    void onH2() {
        pausesAndResumes(TestPool.h2());
    }

    private static void pausesAndResumes(Database database) {
        try (TestPool pool = new TestPool(database)) {
            Ddl.applyPauses(pool.connections());
            Ddl.applyPauses(pool.connections()); // a second time must change nothing
            JdbcPauseStore store = new JdbcPauseStore(pool.connections());
            store.verify();
            assertThat(store.paused("shop")).isEmpty();
            assertThat(store.resume("shop", "relay", MENDED)).isFalse();

            assertThat(store.pause("shop", "relay", OUTAGE)).isTrue();
            assertThat(store.pause("shop", "relay", MENDED)).as("again").isFalse();
            assertThat(store.pause("other", "relay", MENDED)).isTrue();
            String longest = "consumer " + "错".repeat(246);
            assertThat(store.pause("shop", longest, OUTAGE)).isTrue();

            List<PausedPart> paused = new JdbcPauseStore(pool.connections()).paused("shop");
            assertThat(paused).extracting(PausedPart::part).containsExactly(longest, "relay");
            assertThat(paused).extracting(PausedPart::decision).containsOnly(OUTAGE);
            assertThat(paused.get(0).since())
                    .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));

            assertThat(store.resume("shop", "relay", MENDED)).isTrue();
            assertThat(store.paused("shop")).extracting(PausedPart::part).containsExactly(longest);
            assertThat(store.paused("other")).hasSize(1);
            assertThat(new JdbcAuditReader(pool.connections(), OutboxLayouts.waybill()).latest(10, Long.MAX_VALUE))
                    .extracting(AuditRecord::action)
                    .containsExactly("RESUME", "PAUSE", "PAUSE", "PAUSE");
        }
    }
}
