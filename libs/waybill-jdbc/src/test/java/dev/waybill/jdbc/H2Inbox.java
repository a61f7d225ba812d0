package dev.waybill.jdbc;

import dev.waybill.inbox.EventHandler;
import dev.waybill.inbox.Inbox;
import dev.waybill.inbox.InboxListener;
import dev.waybill.message.BodyFormat;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.transport.Delivery;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;

/** An inbox on H2, and what it writes into its tables. */
class H2Inbox {

    static final String GROUP = "stock";

    final JdbcDataSource h2 = new JdbcDataSource();
    final JdbcTransactions transactions = new JdbcTransactions(h2);
    final List<String> reported = new ArrayList<>();

    @BeforeEach
    void emptyTables() throws SQLException {
        h2.setURL("jdbc:h2:mem:" + getClass().getSimpleName() + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
        Ddl.apply(h2, InboxLayouts.waybill());
        transactions.run(connection -> connection.createStatement().execute("CREATE TABLE effect (event VARCHAR(64))"));
    }

    Inbox.Builder inbox(EventHandler handler) {
        return Inbox.builder(GROUP)
                .store(store())
                .transactions(transactions)
                .on("OrderCreated", handler)
                .listener(new Recorder());
    }

    JdbcInboxStore store() {
        return JdbcInboxStore.builder(h2).callerConnection(transactions).build();
    }

    HandlerResult effect(Event event) {
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
        return HandlerResult.DONE;
    }

    static HandlerResult thrown(Throwable broken) {
        if (broken instanceof Error error) {
            throw error;
        }
        throw new IllegalStateException(broken);
    }

    static Event event(String number) {
        return Event.builder("OrderCreated")
                .traceId("trace-" + number)
                .payload("{\"n\":" + number + "}")
                .build();
    }

    static Delivery delivery(Event event) {
        return delivery(new String(Envelope.encode(event, BodyFormat.ENVELOPE), StandardCharsets.UTF_8));
    }

    static Delivery delivery(String body) {
        return new Delivery("ORDER_TOPIC", GROUP, null, Map.of(), body.getBytes(StandardCharsets.UTF_8), 1);
    }

    static HandlerResult receive(Inbox inbox, Event event) throws InterruptedException {
        return inbox.receive(List.of(delivery(event))).get(0);
    }

    static HandlerResult receive(Inbox inbox, String body) throws InterruptedException {
        return inbox.receive(List.of(delivery(body))).get(0);
    }

    List<String> effects() {
        return texts("SELECT event FROM effect");
    }

    String status(Event event) {
        return texts("SELECT status FROM waybill_inbox WHERE event_id = '" + event.eventId() + "'")
                .get(0);
    }

    long rows() {
        return number("SELECT COUNT(*) FROM waybill_inbox");
    }

    long number(String sql) {
        return Long.parseLong(texts(sql).get(0));
    }

    List<String> texts(String sql) {
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

    private final class Recorder implements InboxListener {

        @Override
        public void consumed(Event event, String group, java.time.Duration cost) {
            reported.add("consumed");
        }

        @Override
        public void ignored(Event event, String group, String reason) {
            reported.add("ignored");
        }

        @Override
        public void repeated(Event event, String group) {
            reported.add("repeated");
        }

        @Override
        public void passedOver(Event event, String group) {
            reported.add("passedOver");
        }

        @Override
        public void deadLettered(Delivery delivery, String error) {
            reported.add("deadLettered");
        }

        @Override
        public void paused(String dependency) {
            reported.add("paused " + dependency);
        }

        @Override
        public void resumed(String dependency) {
            reported.add("resumed " + dependency);
        }
    }
}
