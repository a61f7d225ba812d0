package dev.waybill.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.Event;
import dev.waybill.store.Lease;
import dev.waybill.store.NoTransactionException;
import dev.waybill.store.StoreException;
import dev.waybill.store.Transactions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Commit, rollback and savepoints: of rows, of business data, and for those who listen. */
class MemoryTransactionsTest {

    private final MemoryTransactions transactions = new MemoryTransactions();
    private final MemoryOutboxStore store = new MemoryOutboxStore(transactions);
    private final List<String> orders = new ArrayList<>();
    private final List<String> heard = new ArrayList<>();

    @Test
    void businessDataGoesBackWithTheRowsLastWriteFirst() {
        orders.add("before");

        assertThatThrownBy(() -> transactions.inTransaction(() -> {
                    order("first");
                    order("second");
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");

        assertThat(orders).containsExactly("before");
        assertThat(store.backlog().waiting()).isZero();
    }

    @Test
    void aRolledBackSavepointUndoesWhatCameAfterItAndNothingElse() {
        transactions.inTransaction(() -> {
            order("kept");
            Object savepoint = transactions.savepoint();
            order("undone");
            transactions.rollbackTo(savepoint);
            order("afterwards");
            return true;
        });

        assertThat(orders).containsExactly("kept", "afterwards");
        assertThat(store.backlog().fresh()).isEqualTo(2);
    }

    @Test
    void aSavepointThatWasUndoneItselfIsRefused() {
        transactions.inTransaction(() -> {
            Object outer = transactions.savepoint();
            order("one");
            Object inner = transactions.savepoint();
            transactions.rollbackTo(outer);

            assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> transactions.rollbackTo(inner));
            return true;
        });
    }

    @Test
    void anAppendThatFailsHalfwayLeavesNoRowAndTheTransactionGoesOn() {
        Event once = Event.of("OrderCreated", "{}");
        transactions.inTransaction(() -> {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> store.append(List.of(once, once), null))
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.DUPLICATE));
            return store.append(List.of(once), null);
        });

        assertThat(store.backlog().fresh()).isEqualTo(1);
    }

    @Test
    void aSecondTransactionWithTheSameEventWaitsForTheFirst() throws Exception {
        Event once = Event.of("OrderCreated", "{}");
        CountDownLatch appended = new CountDownLatch(1);
        CompletableFuture<Boolean> rollsBack = new CompletableFuture<>();
        CompletableFuture<Void> first = CompletableFuture.runAsync(
                () -> assertThatThrownBy(() -> transactions.inTransaction(() -> {
                            store.append(List.of(once), null);
                            appended.countDown();
                            rollsBack.join();
                            throw new IllegalStateException("no");
                        }))
                        .hasMessage("no"),
                task -> new Thread(task, "first").start());
        assertThat(appended.await(10, TimeUnit.SECONDS)).isTrue();
        Thread second = new Thread(() -> transactions.inTransaction(() -> store.append(List.of(once), null)), "second");
        second.start();
        await().until(() -> second.getState() == Thread.State.TIMED_WAITING);
        assertThat(store.claim(new Lease("relay", Duration.ofSeconds(5)), 10, Set.of()))
                .isEmpty();

        rollsBack.complete(true);
        first.get(10, TimeUnit.SECONDS);
        second.join();

        assertThat(store.backlog().fresh()).isEqualTo(1);
    }

    @Test
    void anInnerTransactionEndsByItselfAndTheOuterOneGoesOn() {
        assertThatThrownBy(() -> transactions.inTransaction(() -> {
                    order("outer");
                    transactions.inTransaction(() -> order("inner"));
                    assertThat(store.backlog().fresh())
                            .as("the inner one is committed")
                            .isEqualTo(1);
                    transactions.savepoint(); // belongs to the outer one, which is still there
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");

        assertThat(orders).containsExactly("inner");
        assertThat(store.backlog().fresh()).isEqualTo(1);
    }

    @Test
    void whoJoinsHearsHowItEnds() {
        transactions.inTransaction(() -> {
            join();
            Object savepoint = transactions.savepoint();
            transactions.rollbackTo(savepoint);
            join();
            return true;
        });
        assertThat(heard).containsExactly("savepoint", "rolledBackTo", "committed");

        heard.clear();
        assertThatThrownBy(() -> transactions.inTransaction(() -> {
                    join();
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(heard).containsExactly("notCommitted");
    }

    @Test
    void outsideATransactionNothingCanBeJoinedMarkedOrUndone() {
        assertThatExceptionOfType(NoTransactionException.class).isThrownBy(this::join);
        assertThatExceptionOfType(NoTransactionException.class).isThrownBy(transactions::savepoint);
        assertThatExceptionOfType(NoTransactionException.class).isThrownBy(() -> transactions.onRollback(() -> {}));
    }

    private boolean order(String name) {
        orders.add(name);
        transactions.onRollback(() -> orders.remove(name));
        store.append(List.of(Event.of("OrderCreated", "{}")), null);
        return true;
    }

    private void join() {
        transactions.join(this, Listening.class, () -> new Listening(heard));
    }

    private record Listening(List<String> heard) implements Transactions.Observer {

        @Override
        public void savepoint(Object savepoint) {
            heard.add("savepoint");
        }

        @Override
        public void rolledBackTo(Object savepoint) {
            heard.add("rolledBackTo");
        }

        @Override
        public void committed() {
            heard.add("committed");
        }

        @Override
        public void notCommitted() {
            heard.add("notCommitted");
        }
    }
}
