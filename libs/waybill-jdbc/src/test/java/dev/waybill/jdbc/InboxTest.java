package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.inbox.Inbox;
import dev.waybill.inbox.UnknownTypes;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.message.MalformedEventException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The result of each kind of delivery, and the row that it leaves. */
class InboxTest extends H2Inbox {

    @Test
    void aRepeatHasNoSecondEffect() throws InterruptedException {
        Inbox inbox = inbox(this::effect).build();
        Event event = event("1");

        assertThat(receive(inbox, event)).isInstanceOf(HandlerResult.Done.class);
        assertThat(receive(inbox, event)).isInstanceOf(HandlerResult.Done.class);

        assertThat(effects()).containsExactly(event.eventId());
        assertThat(status(event)).isEqualTo("SUCCESS");
        assertThat(reported).containsExactly("consumed", "repeated");
    }

    @Test
    void aFailureIsRolledBackRememberedAndAdmittedAgain() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        Inbox inbox = inbox(event -> {
                    effect(event);
                    if (calls.incrementAndGet() == 1) {
                        throw new IllegalStateException("not yet");
                    }
                    return calls.get() == 2 ? HandlerResult.retry("still not") : HandlerResult.DONE;
                })
                .build();
        Event event = event("1");

        assertThat(receive(inbox, event))
                .isEqualTo(new HandlerResult.Retry("java.lang.IllegalStateException: not yet"));
        assertThat(status(event)).isEqualTo("FAILED");
        assertThat(receive(inbox, event)).isEqualTo(new HandlerResult.Retry("still not"));
        assertThat(effects()).isEmpty();
        assertThat(store().lastError(event.eventId(), GROUP)).contains("still not");
        assertThat(receive(inbox, event)).isInstanceOf(HandlerResult.Done.class);

        assertThat(effects()).containsExactly(event.eventId());
        assertThat(status(event)).isEqualTo("SUCCESS");
    }

    @Test
    void aRejectedEventIsDeadLetteredAtOnceAndCanBeReplayed() throws InterruptedException {
        List<HandlerResult> answers =
                new ArrayList<>(List.of(HandlerResult.reject("order is gone"), HandlerResult.DONE));
        Inbox inbox = inbox(event -> {
                    effect(event);
                    return answers.remove(0);
                })
                .build();
        Event event = event("1");

        assertThat(receive(inbox, event)).isEqualTo(new HandlerResult.Reject("order is gone"));
        assertThat(effects()).isEmpty();
        assertThat(status(event)).isEqualTo("FAILED");
        assertThat(receive(inbox, event)).isInstanceOf(HandlerResult.Done.class);

        assertThat(effects()).hasSize(1);
    }

    @Test
    void anEventWithMissingDataIsRejectedAtOnce() throws InterruptedException {
        Inbox inbox = inbox(event -> {
                    throw new MalformedEventException("no orderNo", null);
                })
                .build();

        assertThat(receive(inbox, event("1"))).isEqualTo(new HandlerResult.Reject("no orderNo"));
    }

    @Test
    void whatIsIgnoredCommitsAndIsDone() throws InterruptedException {
        Inbox inbox = inbox(event -> {
                    effect(event);
                    return HandlerResult.ignored("STATUS_NOT_CREATED");
                })
                .build();
        Event event = event("1");

        receive(inbox, event);
        receive(inbox, event);

        assertThat(effects()).hasSize(1);
        assertThat(status(event)).isEqualTo("IGNORED");
        assertThat(reported).containsExactly("ignored", "repeated");
    }

    @Test
    void anUnreadableMessageIsRejectedWithoutARow() throws InterruptedException {
        Inbox inbox = inbox(this::effect).maxBodyBytes(1_000).build();

        for (String body : List.of("{broken", "[]", "{}", "{\"eventId\":\"1\"}", "\"" + "x".repeat(1_000) + "\"", "")) {
            assertThat(receive(inbox, body)).isInstanceOf(HandlerResult.Reject.class);
        }

        assertThat(rows()).isZero();
    }

    @Test
    void anEventIdThatFitsNoColumnIsRejectedAndTheNextEventIsHandled() throws InterruptedException {
        Inbox inbox = inbox(this::effect).build();
        String body = "{\"eventId\":\"" + "9".repeat(300)
                + "\",\"eventType\":\"OrderCreated\",\"occurredAt\":\"2026-01-01T00:00:00Z\",\"payload\":{}}";

        assertThat(receive(inbox, body)).isInstanceOf(HandlerResult.Reject.class);
        assertThat(receive(inbox, event("2"))).isInstanceOf(HandlerResult.Done.class);
    }

    @Test
    void aTypeWithoutHandlerIsAcknowledgedOnASharedTopicAndRejectedOnAnOwnQueue() throws InterruptedException {
        Event other = Event.builder("SomethingElse").payload("{}").build();

        assertThat(receive(inbox(this::effect).build(), other)).isInstanceOf(HandlerResult.Done.class);
        assertThat(receive(
                        inbox(this::effect)
                                .unknownTypes(UnknownTypes.DEAD_LETTER)
                                .build(),
                        other))
                .isEqualTo(new HandlerResult.Reject("event type not supported: SomethingElse"));

        assertThat(rows()).isZero();
        assertThat(reported).containsExactly("passedOver", "deadLettered");
    }

    @Test
    void aHandlerThatBreaksIsAFailureOfItsDeliveryAndNotOfTheReceiver() throws InterruptedException {
        for (Throwable broken : List.of(new AssertionError("odd"), new NoClassDefFoundError("odd"))) {
            Inbox inbox = inbox(event -> thrown(broken)).build();
            assertThat(receive(inbox, event("1"))).isInstanceOf(HandlerResult.Retry.class);
        }
    }

    @Test
    void anInboxWithoutATableSaysSoBeforeItReceivesAnything() throws SQLException {
        transactions.run(connection -> connection.createStatement().execute("DROP TABLE waybill_inbox"));

        assertThatThrownBy(() -> inbox(this::effect).build()).hasMessageContaining("waybill_inbox");
    }
}
