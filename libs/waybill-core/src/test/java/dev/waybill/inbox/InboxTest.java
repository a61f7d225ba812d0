package dev.waybill.inbox;

import static dev.waybill.inbox.InboxParts.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.waybill.lifecycle.Checkpoints.Place;
import dev.waybill.message.HandlerResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Batches in one transaction, one by one when one of them is bad; and what an inbox cannot do without. */
@Timeout(20)
class InboxTest {

    private final InboxParts parts = new InboxParts();

    @Test
    void aBatchIsOneTransactionAndARepeatInItHasNoEffect() throws InterruptedException {
        List<Place> places = new ArrayList<>();
        Inbox inbox = parts.inbox(parts::effect).checkpoints(places::add).build();

        assertThat(batch(inbox, "1", "2", "1", "3")).containsExactly("Done", "Done", "Done", "Done");

        assertThat(parts.effects).containsExactly("1", "2", "3");
        assertThat(parts.heard).containsExactly("consumed 1", "consumed 2", "repeated 1", "consumed 3");
        assertThat(places).as("one commit").containsOnlyOnce(Place.CONSUMED).endsWith(Place.CONSUMED);
    }

    @Test
    void oneThatFailsPartsTheBatchAndSpoilsNoOther() throws InterruptedException {
        Inbox inbox = parts.inbox(event -> {
                    parts.effect(event);
                    return event.eventId().equals("2") ? HandlerResult.retry("bad") : HandlerResult.DONE;
                })
                .build();

        assertThat(batch(inbox, "1", "2", "3")).containsExactly("Done", "Retry", "Done");

        assertThat(parts.effects).containsExactly("1", "3");
        assertThat(parts.heard).containsExactly("consumed 1", "failed 2", "consumed 3");
    }

    @Test
    void oneWhoseHandlerBreaksPartsTheBatchAndSpoilsNoOther() throws InterruptedException {
        Inbox inbox = parts.inbox(event -> {
                    parts.effect(event);
                    if (event.eventId().equals("2")) {
                        throw new AssertionError("odd");
                    }
                    return HandlerResult.DONE;
                })
                .build();

        assertThat(batch(inbox, "1", "2", "3")).containsExactly("Done", "Retry", "Done");

        assertThat(parts.effects).containsExactly("1", "3");
    }

    @Test
    void whatIsNoEventPartsTheBatchBeforeAnythingIsHandled() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        Inbox inbox = parts.inbox(event -> {
                    calls.incrementAndGet();
                    return parts.effect(event);
                })
                .build();

        List<HandlerResult> results =
                InboxParts.receive(inbox, InboxParts.body(event("1")), "{broken".getBytes(StandardCharsets.UTF_8));

        assertThat(names(results)).containsExactly("Done", "Reject");
        assertThat(calls).hasValue(1);
    }

    @Test
    void eachGroupHandlesAnEventOnce() throws InterruptedException {
        Inbox stock = parts.inbox(parts::effect).build();
        Inbox invoices = Inbox.builder("invoices")
                .store(parts.store)
                .transactions(parts.transactions)
                .on("OrderCreated", parts::effect)
                .build();

        for (Inbox inbox : List.of(stock, invoices, stock, invoices)) {
            InboxParts.receive(inbox, event("1"));
        }

        assertThat(parts.effects).containsExactly("1", "1");
    }

    @Test
    void aListenerThatFailsChangesNoAnswer() throws InterruptedException {
        Inbox inbox = parts.inbox(parts::effect)
                .listener(new InboxListener() {
                    @Override
                    public void consumed(dev.waybill.message.Event event, String group, java.time.Duration cost) {
                        throw new IllegalStateException("deaf");
                    }
                })
                .build();

        assertThat(InboxParts.receive(inbox, event("1"))).isInstanceOf(HandlerResult.Done.class);
    }

    @Test
    void anInboxNeedsAStoreTransactionsAndExactlyOneHandlerPerType() {
        assertThatNullPointerException()
                .isThrownBy(() -> Inbox.builder("g").on("T", parts::effect).build())
                .withMessageContaining("store");
        assertThatNullPointerException()
                .isThrownBy(() -> Inbox.builder("g")
                        .store(parts.store)
                        .on("T", parts::effect)
                        .build())
                .withMessageContaining("transactions");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Inbox.builder("g")
                        .store(parts.store)
                        .transactions(parts.transactions)
                        .build())
                .withMessageContaining("handles no event type");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parts.inbox(parts::effect).on("OrderCreated", parts::effect))
                .withMessageContaining("two handlers");
    }

    /** One batch of these events; the names of the answers. */
    private static List<String> batch(Inbox inbox, String... ids) throws InterruptedException {
        byte[][] bodies = Stream.of(ids).map(id -> InboxParts.body(event(id))).toArray(byte[][]::new);
        return names(InboxParts.receive(inbox, bodies));
    }

    private static List<String> names(List<HandlerResult> results) {
        return results.stream().map(result -> result.getClass().getSimpleName()).toList();
    }
}
