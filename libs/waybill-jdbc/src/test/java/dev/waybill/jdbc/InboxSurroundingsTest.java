package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.inbox.Dependency;
import dev.waybill.inbox.DoneCache;
import dev.waybill.inbox.Inbox;
import dev.waybill.message.Causation;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.message.TraceId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** Batches, traces, the done cache, and failures that are not the event's and cost it no attempt. */
class InboxSurroundingsTest extends H2Inbox {

    @Test
    void aDeadlockInTheHandlerCostsNoDelivery() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        Inbox inbox = inbox(event -> {
                    effect(event);
                    if (calls.incrementAndGet() < 4) {
                        throw new IllegalStateException("wrapped", new SQLException("deadlock", "40001"));
                    }
                    return HandlerResult.DONE;
                })
                .build();

        assertThat(receive(inbox, event("1"))).isInstanceOf(HandlerResult.Done.class);
        assertThat(effects()).hasSize(1);
        assertThat(reported).containsExactly("consumed");
    }

    @Test
    void oneThatAlwaysDeadlocksFailsInTheEnd() throws InterruptedException {
        Inbox inbox = inbox(event -> {
                    throw new IllegalStateException("wrapped", new SQLException("deadlock", "40001"));
                })
                .build();

        assertThat(receive(inbox, event("1"))).isInstanceOf(HandlerResult.Retry.class);
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

        assertThat(receive(inbox, event)).isInstanceOf(HandlerResult.Done.class);
        assertThat(status(event)).isEqualTo("SUCCESS");
        assertThat(reported).containsExactly("paused payments", "resumed payments", "consumed");
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
        assertThat(reported).isEmpty();
    }

    @Test
    void theTraceAndTheCauseAreThereDuringTheHandlerAndGoneAfterwards() throws InterruptedException {
        List<@Nullable String> seen = new ArrayList<>();
        Inbox inbox = inbox(event -> {
                    seen.add(MDC.get(TraceId.KEY));
                    seen.add(Causation.current());
                    return HandlerResult.DONE;
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

        List<HandlerResult> results =
                inbox.receive(List.of(delivery(twice), delivery(event("2")), delivery(twice), delivery(event("3"))));

        assertThat(results).hasSize(4).allMatch(HandlerResult.Done.class::isInstance);
        assertThat(effects()).hasSize(3);
        assertThat(sessions).hasSize(1);
        assertThat(reported).containsExactlyInAnyOrder("consumed", "consumed", "consumed", "repeated");
    }

    @Test
    void aFailingDeliverySplitsTheBatchAndAffectsNoOther() throws InterruptedException {
        Inbox inbox = inbox(event -> {
                    effect(event);
                    return "trace-2".equals(event.traceId()) ? HandlerResult.retry("bad") : HandlerResult.DONE;
                })
                .build();

        List<HandlerResult> results = inbox.receive(
                List.of(delivery(event("1")), delivery(event("2")), delivery("{broken"), delivery(event("3"))));

        assertThat(results.get(0)).isInstanceOf(HandlerResult.Done.class);
        assertThat(results.get(1)).isEqualTo(new HandlerResult.Retry("bad"));
        assertThat(results.get(2)).isInstanceOf(HandlerResult.Reject.class);
        assertThat(results.get(3)).isInstanceOf(HandlerResult.Done.class);
        assertThat(effects()).hasSize(2);
    }

    @Test
    void theDoneCacheLearnsAfterTheCommitAndOnlySavesAQuery() throws InterruptedException {
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
        known.clear(); // the cache may forget, because the database decides
        receive(inbox, event);

        assertThat(effects()).hasSize(1);
        assertThat(reported).containsExactly("consumed", "repeated", "repeated");
    }

    @Test
    void aHandlerThatBreaksInABatchFailsItsOwnDeliveryOnly() throws InterruptedException {
        Inbox inbox = inbox(
                        event -> "trace-2".equals(event.traceId()) ? thrown(new AssertionError("odd")) : effect(event))
                .build();

        List<HandlerResult> results = inbox.receive(List.of(delivery(event("1")), delivery(event("2"))));

        assertThat(results.get(0)).isInstanceOf(HandlerResult.Done.class);
        assertThat(results.get(1)).isInstanceOf(HandlerResult.Retry.class);
        assertThat(effects()).hasSize(1);
    }

    @Test
    void aRetryCostsNoAttemptWhileADependencyIsDown() throws InterruptedException {
        Flickering stock = new Flickering(2);
        Inbox inbox = inbox(event -> stock.up() ? effect(event) : HandlerResult.retry("stock is down"))
                .dependency(stock)
                .build();

        assertThat(receive(inbox, event("1"))).isInstanceOf(HandlerResult.Done.class);
        assertThat(reported).containsExactly("paused stock", "resumed stock", "consumed");
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

        assertThat(receive(inbox, event("1"))).isInstanceOf(HandlerResult.Done.class);
        assertThat(reported).containsExactly("consumed");
    }

    @Test
    void aDependencyThatThrowsWhenAskedAboutAFailureChangesNoResult() throws InterruptedException {
        Inbox inbox = inbox(event -> HandlerResult.retry("later"))
                .dependency(new Flickering(0))
                .build();

        assertThat(receive(inbox, event("1"))).isEqualTo(new HandlerResult.Retry("later"));
    }

    @Test
    void aDoneCacheThatFailsAffectsNoEvent() throws InterruptedException {
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

        assertThat(receive(inbox, event("1"))).isInstanceOf(HandlerResult.Done.class);
        assertThat(effects()).hasSize(1);
        assertThat(reported).containsExactly("consumed");
    }

    /** Does not answer the first few times; recognises its own failures by their message. */
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
}
