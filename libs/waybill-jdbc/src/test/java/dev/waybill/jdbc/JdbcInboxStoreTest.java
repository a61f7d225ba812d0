package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.store.Admission;
import dev.waybill.store.StoreException;
import dev.waybill.store.StoreException.Reason;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The errors for consume logs that cannot be used, and tables that differ from the layouts. */
class JdbcInboxStoreTest {

    private final JdbcDataSource h2 = new JdbcDataSource();
    private final JdbcTransactions transactions = new JdbcTransactions(h2);

    @BeforeEach
    void anEmptyDatabase() {
        h2.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        h2.setUser("sa");
        h2.setPassword("");
    }

    private JdbcInboxStore store(InboxMapping mapping) {
        return JdbcInboxStore.builder(h2)
                .callerConnection(transactions)
                .mapping(mapping)
                .build();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = h2.getConnection()) {
            connection.createStatement().execute(sql);
        }
    }

    private void refused(JdbcInboxStore store, String group, String... words) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store.verify(group))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.MISCONFIGURED))
                .withMessageContainingAll(words);
    }

    @Test
    void aMissingTableIsNamedWithTheCommandThatPrintsIt() {
        refused(store(InboxLayouts.inboxMessage()), "stock", "inbox_message", "--dialect h2 --inbox inbox_message");
    }

    @Test
    void aMissingColumnIsNamedWithTheWayToLeaveItOut() throws SQLException {
        Ddl.apply(h2, InboxLayouts.tMqConsumeLog());
        execute("ALTER TABLE t_mq_consume_log DROP COLUMN attempts");

        refused(store(InboxLayouts.tMqConsumeLog()), "stock", "attempts", "without(InboxColumn.ATTEMPTS)");
    }

    @Test
    void aMissingKeyIsNamedWithTheStatementThatAddsIt() throws SQLException {
        Ddl.apply(h2, InboxLayouts.waybill());
        execute("ALTER TABLE waybill_inbox DROP PRIMARY KEY");

        refused(
                store(InboxLayouts.waybill()),
                "stock",
                "no unique key",
                "ADD UNIQUE (\"EVENT_ID\", \"CONSUMER_GROUP\")");
        execute("ALTER TABLE waybill_inbox ADD UNIQUE (\"EVENT_ID\")");
        refused(store(InboxLayouts.waybill()), "stock", "no unique key");
        execute("ALTER TABLE waybill_inbox ADD UNIQUE (\"EVENT_ID\", \"CONSUMER_GROUP\")");
        store(InboxLayouts.waybill()).verify("stock");
    }

    @Test
    void missingPrivilegesAreNamed() throws SQLException {
        Ddl.apply(h2, InboxLayouts.waybill());
        execute("CREATE USER reader PASSWORD 'reader'");
        execute("GRANT SELECT ON waybill_inbox TO reader");
        h2.setURL(h2.getURL().replace(";DB_CLOSE_DELAY=-1", "")); // set already, and the reader may not set it
        h2.setUser("reader");
        h2.setPassword("reader");

        refused(store(InboxLayouts.waybill()), "stock", "SELECT, INSERT, UPDATE and DELETE on waybill_inbox");
    }

    @Test
    void aGroupThatDoesNotFitIsRefused() {
        Ddl.apply(h2, InboxLayouts.inboxMessage());

        refused(store(InboxLayouts.inboxMessage()), "g".repeat(65), "inbox_message.GROUP_NAME", "shorter");
    }

    @Test
    void anEventThatACollationTakesForAnotherIsRefusedAndNotTakenForDone() throws SQLException {
        Ddl.apply(h2, InboxLayouts.tMqConsumeLog());
        execute("ALTER TABLE t_mq_consume_log ALTER COLUMN event_id VARCHAR_IGNORECASE(64) NOT NULL");
        JdbcInboxStore store = store(InboxLayouts.tMqConsumeLog());
        Event lower = Event.builder("OrderCreated").eventId("abc").build();
        Event upper = Event.builder("OrderCreated").eventId("ABC").build();
        transactions.run(connection -> {
            Admission.Admitted admitted = (Admission.Admitted) store.admit(lower, "stock");
            store.settle(lower, "stock", admitted, HandlerResult.DONE, Duration.ZERO);
        });

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> transactions.run(connection -> store.admit(upper, "stock")))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.VALUE))
                .withMessageContainingAll("'ABC'", "'abc'", "collation");
        store.fail(upper, "stock", "refused");
        transactions.run(connection -> assertThat(store.admit(lower, "stock")).isEqualTo(new Admission.AlreadyDone()));
    }

    @Test
    void wordsMustFitANumericColumn() {
        Ddl.apply(h2, InboxLayouts.inboxMessage());
        InboxMapping wordy = InboxLayouts.inboxMessage().toBuilder()
                .word(InboxState.SUCCESS, "DONE")
                .build();

        refused(store(wordy), "stock", "is a number", "DONE");
    }

    @Test
    void aTableWithoutAttemptsErrorsAndCostWorks() throws SQLException {
        execute("CREATE TABLE log (event_id VARCHAR(64), grp VARCHAR(64), st VARCHAR(16),"
                + " at TIMESTAMP(0) WITH TIME ZONE, UNIQUE (grp, event_id))");
        InboxMapping bare = InboxLayouts.tMqConsumeLog().toBuilder()
                .table("log")
                .column(InboxColumn.GROUP, "grp")
                .column(InboxColumn.STATUS, "st")
                .column(InboxColumn.CREATED_AT, "at")
                .without(InboxColumn.ATTEMPTS)
                .without(InboxColumn.ERROR)
                .without(InboxColumn.COST_MS)
                .without(InboxColumn.UPDATED_AT)
                .build();
        JdbcInboxStore store = store(bare);
        Event event = Event.builder("OrderCreated").eventId("e1").build();
        store.verify("stock");

        store.fail(event, "stock", "nobody will know");
        store.fail(event, "stock", "nobody will know");
        assertThat(store.lastError("e1", "stock")).isEmpty();
        transactions.inTransaction(() -> {
            Admission admission = store.admit(event, "stock");
            assertThat(admission).isEqualTo(new Admission.Admitted("e1", 0));
            store.settle(event, "stock", (Admission.Admitted) admission, HandlerResult.DONE, Duration.ZERO);
            return true;
        });
        assertThat(transactions.<Admission>inTransaction(() -> store.admit(event, "stock")))
                .isEqualTo(new Admission.AlreadyDone());
        assertThat(store.sweep(Duration.ZERO, 10)).isEqualTo(1);
    }

    @Test
    void anAdmissionThatWasUndoneCannotBeSettled() {
        Ddl.apply(h2, InboxLayouts.waybill());
        JdbcInboxStore store = store(InboxLayouts.waybill());
        Event event = Event.builder("OrderCreated").eventId("e1").build();

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> transactions.inTransaction(() -> {
                    store.settle(event, "stock", new Admission.Admitted("e1", 0), HandlerResult.DONE, Duration.ZERO);
                    return true;
                }))
                .withMessageContaining("savepoint");
    }

    @Test
    void aDatabaseThatIsGoneDoesNotAnswer() {
        h2.setURL("jdbc:h2:tcp://127.0.0.1:1/nowhere");

        assertThat(store(InboxLayouts.waybill()).answers()).isFalse();
    }

    @Test
    void aPoolThatHangsIsNotWaitedForLong() {
        CountDownLatch forever = new CountDownLatch(1);
        DataSource hanging = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    forever.await();
                    throw new SQLException("closed");
                });
        long begun = System.nanoTime();

        assertThat(JdbcInboxStore.builder(hanging).build().answers()).isFalse();

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(6));
        forever.countDown();
    }
}
