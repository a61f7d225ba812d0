package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.inbox.Dependency;
import dev.waybill.inbox.DoneCache;
import dev.waybill.inbox.EventHandler;
import dev.waybill.inbox.Handled;
import dev.waybill.inbox.Inbox;
import dev.waybill.inbox.InboxListener;
import dev.waybill.inbox.UnknownTypes;
import dev.waybill.message.BodyFormat;
import dev.waybill.message.Causation;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.MalformedEventException;
import dev.waybill.message.TraceId;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.Verdict;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** The inbox on a real table: what a delivery becomes, and what it leaves behind. */
class InboxTest {

    private static final String GROUP = "stock";

    private final JdbcDataSource h2 = new JdbcDataSource();
    private final JdbcTransactions transactions = new JdbcTransactions(h2);
    private final List<String> heard = new ArrayList<>();

    @BeforeEach
    void emptyTables() throws SQLException {
        h2.setURL("jdbc:h2:mem:" + getClass().getSimpleName() + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
        Ddl.apply(h2, InboxLayouts.waybill());
        transactions.run(connection -> connection.createStatement().execute("CREATE TABLE effect (event VARCHAR(64))"));
    }

    @Test
    void aRepeatHasNoSecondEffect() throws InterruptedException {
        Inbox inbox = inbox(this::effect).build();
        Event event = event("1");

        assertThat(receive(inbox, event)).isInstanceOf(Verdict.Done.class);
        assertThat(receive(inbox, event)).isInstanceOf(Verdict.Done.class);

        assertThat(effects()).containsExactly(event.eventId());
        assertThat(status(event)).isEqualTo("SUCCESS");
        assertThat(heard).containsExactly("consumed", "repeated");
    }

    @Test
    void aFailureIsRolledBackRememberedAndAdmittedAgain() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        Inbox inbox = inbox(event -> {
                    effect(event);
                    if (calls.incrementAndGet() == 1) {
                        throw new IllegalStateException("not yet");
                    }
                    return calls.get() == 2 ? Handled.retry("still not") : Handled.DONE;
                })
                .build();
        Event event = event("1");

        assertThat(receive(inbox, event)).isEqualTo(new Verdict.Again("java.lang.IllegalStateException: not yet"));
        assertThat(status(event)).isEqualTo("FAILED");
        assertThat(receive(inbox, event)).isEqualTo(new Verdict.Again("still not"));
        assertThat(effects()).isEmpty();
        assertThat(store().lastError(event.eventId(), GROUP)).contains("still not");
        assertThat(receive(inbox, event)).isInstanceOf(Verdict.Done.class);

        assertThat(effects()).containsExactly(event.eventId());
        assertThat(status(event)).isEqualTo("SUCCESS");
    }

    @Test
    void whatIsRejectedIsBuriedAtOnceAndCanStillBeReplayed() throws InterruptedException {
        List<Handled> answers = new ArrayList<>(List.of(Handled.reject("order is gone"), Handled.DONE));
        Inbox inbox = inbox(event -> {
                    effect(event);
                    return answers.remove(0);
                })
                .build();
        Event event = event("1");

        assertThat(receive(inbox, event)).isEqualTo(new Verdict.Bury("order is gone"));
        assertThat(effects()).isEmpty();
        assertThat(status(event)).isEqualTo("FAILED");
        assertThat(receive(inbox, event)).isInstanceOf(Verdict.Done.class);

        assertThat(effects()).hasSize(1);
    }

    @Test
    void missingDataIsBuriedAtOnce() throws InterruptedException {
        Inbox inbox = inbox(event -> {
                    throw new MalformedEventException("no orderNo", null);
                })
                .build();

        assertThat(receive(inbox, event("1"))).isEqualTo(new Verdict.Bury("no orderNo"));
    }

    @Test
    void whatIsIgnoredCommitsAndIsDone() throws InterruptedException {
        Inbox inbox = inbox(event -> {
                    effect(event);
                    return Handled.ignored("STATUS_NOT_CREATED");
                })
                .build();
        Event event = event("1");

        receive(inbox, event);
        receive(inbox, event);

        assertThat(effects()).hasSize(1);
        assertThat(status(event)).isEqualTo("IGNORED");
        assertThat(heard).containsExactly("ignored", "repeated");
    }

    @Test
    void poisonIsBuriedWithoutARow() throws InterruptedException {
        Inbox inbox = inbox(this::effect).maxBodyBytes(1_000).build();

        for (String body : List.of("{broken", "[]", "{}", "{\"eventId\":\"1\"}", "\"" + "x".repeat(1_000) + "\"", "")) {
            assertThat(receive(inbox, body)).isInstanceOf(Verdict.Bury.class);
        }

        assertThat(rows()).isZero();
    }

    @Test
    void anEventIdThatFitsNoColumnIsBuriedAndTheNextEventIsHandled() throws InterruptedException {
        Inbox inbox = inbox(this::effect).build();
        String body = "{\"eventId\":\"" + "9".repeat(300)
                + "\",\"eventType\":\"OrderCreated\",\"occurredAt\":\"2026-01-01T00:00:00Z\",\"payload\":{}}";

        assertThat(receive(inbox, body)).isInstanceOf(Verdict.Bury.class);
        assertThat(receive(inbox, event("2"))).isInstanceOf(Verdict.Done.class);
    }

    @Test
    void aTypeThatOthersHandleIsAcknowledgedOnASharedTopicAndBuriedOnAnOwnQueue() throws InterruptedException {
        Event other = Event.builder("SomethingElse").payload("{}").build();

        assertThat(receive(inbox(this::effect).build(), other)).isInstanceOf(Verdict.Done.class);
        assertThat(receive(inbox(this::effect).unknownTypes(UnknownTypes.BURY).build(), other))
                .isEqualTo(new Verdict.Bury("事件类型不支持: SomethingElse"));

        assertThat(rows()).isZero();
        assertThat(heard).containsExactly("passedOver", "buried");
    }

    @Test
    void aHandlerThatBreaksIsAFailureOfItsDeliveryAndNotOfTheReceiver() throws InterruptedException {
        for (Throwable broken : List.of(new AssertionError("odd"), new NoClassDefFoundError("odd"))) {
            Inbox inbox = inbox(event -> thrown(broken)).build();
            assertThat(receive(inbox, event("1"))).isInstanceOf(Verdict.Again.class);
        }
    }

    @Test
    void aDeadlockInTheHandlerCostsNoDelivery() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        Inbox inbox = inbox(event -> {
                    effect(event);
                    if (calls.incrementAndGet() < 4) {
                        throw new IllegalStateException("wrapped", new SQLException("deadlock", "40001"));
                    }
                    return Handled.DONE;
                })
                .build();

        assertThat(receive(inbox, event("1"))).isInstanceOf(Verdict.Done.class);
        assertThat(effects()).hasSize(1);
        assertThat(heard).containsExactly("consumed");
    }

    @Test
    void oneThatAlwaysDeadlocksFailsInTheEnd() throws InterruptedException {
        Inbox inbox = inbox(event -> {
                    throw new IllegalStateException("wrapped", new SQLException("deadlock", "40001"));
                })
                .build();

        assertThat(receive(inbox, event("1"))).isInstanceOf(Verdict.Again.class);
    }

    @Test
    void whileADependencyIsDownTheDeliveryWaitsAndNothingIsSpent() throws InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        Dependency payments = new Dependency() {
            @Override
            public String name() {
                return "payments";
            }

            @Override
            public boolean answers() {
                return asked.incrementAndGet() > 3;
            }
        };
        Inbox inbox = inbox(event -> {
                    if (asked.get() <= 3) {
                        throw new IllegalStateException("payments do not answer");
                    }
                    return effect(event);
                })
                .dependency(payments)
                .build();
        Event event = event("1");

        assertThat(receive(inbox, event)).isInstanceOf(Verdict.Done.class);
        assertThat(status(event)).isEqualTo("SUCCESS");
        assertThat(heard).containsExactly("paused payments", "resumed payments", "consumed");
    }

    @Test
    void aStopDuringTheHandlerSpendsNothing() {
        Inbox inbox = inbox(event -> {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("interrupted");
                })
                .build();
        Event event = event("1");

        assertThatThrownBy(() -> receive(inbox, event)).isInstanceOf(InterruptedException.class);
        assertThat(rows()).isZero();
        assertThat(heard).isEmpty();
    }

    @Test
    void theTraceAndTheCauseAreThereDuringTheHandlerAndGoneAfterwards() throws InterruptedException {
        List<@Nullable String> seen = new ArrayList<>();
        Inbox inbox = inbox(event -> {
                    seen.add(MDC.get(TraceId.KEY));
                    seen.add(Causation.current());
                    return Handled.DONE;
                })
                .build();
        Event first = event("1");
        Event second = event("2");
        MDC.put(TraceId.KEY, "before");

        inbox.receive(List.of(delivery(first), delivery(second)));
        receive(inbox, event("3"));

        assertThat(seen).startsWith("trace-1", first.eventId(), "trace-2", second.eventId(), "trace-3");
        assertThat(MDC.get(TraceId.KEY)).isEqualTo("before");
        assertThat(Causation.current()).isNull();
        MDC.clear();
    }

    @Test
    void aBatchIsOneTransactionAndARepeatInItHasNoEffect() throws InterruptedException {
        Set<Long> sessions = new HashSet<>();
        Inbox inbox = inbox(event -> {
                    sessions.add(number("SELECT SESSION_ID()"));
                    return effect(event);
                })
                .build();
        Event twice = event("1");

        List<Verdict> verdicts =
                inbox.receive(List.of(delivery(twice), delivery(event("2")), delivery(twice), delivery(event("3"))));

        assertThat(verdicts).hasSize(4).allMatch(Verdict.Done.class::isInstance);
        assertThat(effects()).hasSize(3);
        assertThat(sessions).hasSize(1);
        assertThat(heard).containsExactlyInAnyOrder("consumed", "consumed", "consumed", "repeated");
    }

    @Test
    void oneBadApplePartsTheBatchAndSpoilsNoOther() throws InterruptedException {
        Inbox inbox = inbox(event -> {
                    effect(event);
                    return "trace-2".equals(event.traceId()) ? Handled.retry("bad") : Handled.DONE;
                })
                .build();

        List<Verdict> verdicts = inbox.receive(
                List.of(delivery(event("1")), delivery(event("2")), delivery("{broken"), delivery(event("3"))));

        assertThat(verdicts.get(0)).isInstanceOf(Verdict.Done.class);
        assertThat(verdicts.get(1)).isEqualTo(new Verdict.Again("bad"));
        assertThat(verdicts.get(2)).isInstanceOf(Verdict.Bury.class);
        assertThat(verdicts.get(3)).isInstanceOf(Verdict.Done.class);
        assertThat(effects()).hasSize(2);
    }

    @Test
    void theShortcutLearnsAfterTheCommitAndOnlySavesTheQuestion() throws InterruptedException {
        Set<String> known = new HashSet<>();
        DoneCache cache = new DoneCache() {
            @Override
            public boolean knows(String eventId, String group) {
                return known.contains(eventId);
            }

            @Override
            public void learn(String eventId, String group) {
                assertThat(effects()).contains(eventId);
                known.add(eventId);
            }
        };
        Inbox inbox = inbox(this::effect).cache(cache).build();
        Event event = event("1");

        receive(inbox, event);
        receive(inbox, event);
        known.clear(); // it may forget: the database decides
        receive(inbox, event);

        assertThat(effects()).hasSize(1);
        assertThat(heard).containsExactly("consumed", "repeated", "repeated");
    }

    @Test
    void aHandlerThatBreaksInABatchFailsItsOwnDeliveryOnly() throws InterruptedException {
        Inbox inbox = inbox(
                        event -> "trace-2".equals(event.traceId()) ? thrown(new AssertionError("odd")) : effect(event))
                .build();

        List<Verdict> verdicts = inbox.receive(List.of(delivery(event("1")), delivery(event("2"))));

        assertThat(verdicts.get(0)).isInstanceOf(Verdict.Done.class);
        assertThat(verdicts.get(1)).isInstanceOf(Verdict.Again.class);
        assertThat(effects()).hasSize(1);
    }

    @Test
    void aPoliteRetryCostsNothingWhileADependencyIsDown() throws InterruptedException {
        Flickering stock = new Flickering(2);
        Inbox inbox = inbox(event -> stock.up() ? effect(event) : Handled.retry("stock is down"))
                .dependency(stock)
                .build();

        assertThat(receive(inbox, event("1"))).isInstanceOf(Verdict.Done.class);
        assertThat(heard).containsExactly("paused stock", "resumed stock", "consumed");
    }

    @Test
    void whatADependencyCausedIsTriedAgainAtOnceAFewTimes() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        Flickering stock = new Flickering(0);
        Inbox inbox = inbox(event -> {
                    if (calls.incrementAndGet() <= 3) {
                        throw new IllegalStateException("stock timed out");
                    }
                    return effect(event);
                })
                .dependency(stock)
                .build();

        assertThat(receive(inbox, event("1"))).isInstanceOf(Verdict.Done.class);
        assertThat(heard).containsExactly("consumed");
    }

    @Test
    void aDependencyThatCannotSayWhatItCausedCostsNobodyTheAnswer() throws InterruptedException {
        Inbox inbox = inbox(event -> Handled.retry("later"))
                .dependency(new Flickering(0))
                .build();

        assertThat(receive(inbox, event("1"))).isEqualTo(new Verdict.Again("later"));
    }

    @Test
    void aShortcutThatFailsCostsNoEventAnything() throws InterruptedException {
        DoneCache broken = new DoneCache() {
            @Override
            public boolean knows(String eventId, String group) {
                throw new IllegalStateException("cache is gone");
            }

            @Override
            public void learn(String eventId, String group) {
                throw new IllegalStateException("cache is gone");
            }
        };
        Inbox inbox = inbox(this::effect).cache(broken).build();

        assertThat(receive(inbox, event("1"))).isInstanceOf(Verdict.Done.class);
        assertThat(effects()).hasSize(1);
        assertThat(heard).containsExactly("consumed");
    }

    @Test
    void anInboxWithoutATableSaysSoBeforeItReceivesAnything() throws SQLException {
        transactions.run(connection -> connection.createStatement().execute("DROP TABLE waybill_inbox"));

        assertThatThrownBy(() -> inbox(this::effect).build()).hasMessageContaining("waybill_inbox");
    }

    private Inbox.Builder inbox(EventHandler handler) {
        return Inbox.builder(GROUP)
                .store(store())
                .transactions(transactions)
                .on("OrderCreated", handler)
                .listener(new Heard());
    }

    private JdbcInboxStore store() {
        return JdbcInboxStore.builder(h2).callerConnection(transactions).build();
    }

    private Handled effect(Event event) {
        try {
            transactions.run(connection -> {
                try (var insert = connection.prepareStatement("INSERT INTO effect VALUES (?)")) {
                    insert.setString(1, event.eventId());
                    insert.executeUpdate();
                }
            });
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return Handled.DONE;
    }

    private static Handled thrown(Throwable broken) {
        if (broken instanceof Error error) {
            throw error;
        }
        throw new IllegalStateException(broken);
    }

    private static Event event(String number) {
        return Event.builder("OrderCreated")
                .traceId("trace-" + number)
                .payload("{\"n\":" + number + "}")
                .build();
    }

    private static Delivery delivery(Event event) {
        return delivery(new String(Envelope.encode(event, BodyFormat.ENVELOPE), StandardCharsets.UTF_8));
    }

    private static Delivery delivery(String body) {
        return new Delivery("ORDER_TOPIC", GROUP, null, Map.of(), body.getBytes(StandardCharsets.UTF_8), 1);
    }

    private static Verdict receive(Inbox inbox, Event event) throws InterruptedException {
        return inbox.receive(List.of(delivery(event))).get(0);
    }

    private static Verdict receive(Inbox inbox, String body) throws InterruptedException {
        return inbox.receive(List.of(delivery(body))).get(0);
    }

    private List<String> effects() {
        return texts("SELECT event FROM effect");
    }

    private String status(Event event) {
        return texts("SELECT status FROM waybill_inbox WHERE event_id = '" + event.eventId() + "'")
                .get(0);
    }

    private long rows() {
        return number("SELECT COUNT(*) FROM waybill_inbox");
    }

    private long number(String sql) {
        return Long.parseLong(texts(sql).get(0));
    }

    private List<String> texts(String sql) {
        try {
            return transactions.<List<String>, RuntimeException>call(connection -> {
                try (ResultSet rows = connection.createStatement().executeQuery(sql)) {
                    List<String> texts = new ArrayList<>();
                    while (rows.next()) {
                        texts.add(rows.getString(1));
                    }
                    return texts;
                }
            });
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Down for its first few questions; says which failures are its own. */
    private static final class Flickering implements Dependency {

        private final int silences;
        private final AtomicInteger asked = new AtomicInteger();

        Flickering(int silences) {
            this.silences = silences;
        }

        boolean up() {
            return asked.get() >= silences;
        }

        @Override
        public String name() {
            return "stock";
        }

        @Override
        public boolean answers() {
            return asked.incrementAndGet() > silences;
        }

        @Override
        public boolean caused(Throwable failure) {
            return Objects.requireNonNull(failure.getMessage()).contains("stock timed out"); // a retry has no message
        }
    }

    private final class Heard implements InboxListener {

        @Override
        public void consumed(Event event, String group, java.time.Duration cost) {
            heard.add("consumed");
        }

        @Override
        public void ignored(Event event, String group, String reason) {
            heard.add("ignored");
        }

        @Override
        public void repeated(Event event, String group) {
            heard.add("repeated");
        }

        @Override
        public void passedOver(Event event, String group) {
            heard.add("passedOver");
        }

        @Override
        public void buried(Delivery delivery, String error) {
            heard.add("buried");
        }

        @Override
        public void paused(String dependency) {
            heard.add("paused " + dependency);
        }

        @Override
        public void resumed(String dependency) {
            heard.add("resumed " + dependency);
        }
    }
}
