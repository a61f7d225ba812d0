package dev.waybill.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.starter.shop.BusinessCode;
import dev.waybill.starter.shop.Propagation;
import dev.waybill.starter.shop.RunningShop;
import dev.waybill.starter.shop.Shop;
import dev.waybill.store.NoTransactionException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the outbox promises about transactions, for every database, transaction manager and kind of business code: the
 * messages at the broker are exactly the committed rows.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
interface TransactionPromises {

    RunningShop running();

    Stream<BusinessCode> codes();

    @ParameterizedTest
    @MethodSource("codes")
    default void aCommittedTransactionIsOneRowAndOneMessage(BusinessCode code) {
        String order = order();
        running().expect(List.of(order), it -> transaction().required(status -> shop().take(order, code)));
        assertThat(running().hasOrder(order)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("codes")
    default void aRolledBackTransactionLeavesNoRowAndNoMessage(BusinessCode code) {
        String order = order();
        running()
                .expect(
                        List.of(),
                        it -> transaction().required(status -> {
                            shop().take(order, code);
                            status.setRollbackOnly();
                        }));
        assertThat(running().hasOrder(order)).isFalse();
    }

    @ParameterizedTest
    @MethodSource("codes")
    default void anExceptionOfTheBusinessCodeTakesTheEventWithIt(BusinessCode code) {
        String order = order();
        running()
                .expect(
                        List.of(),
                        it -> assertThatThrownBy(() -> transaction().required(status -> {
                                    shop().take(order, code);
                                    throw new IllegalStateException("out of stock");
                                }))
                                .hasMessage("out of stock"));
        assertThat(running().hasOrder(order)).isFalse();
    }

    @Test
    default void theAnnotationIsAllThatBusinessCodeNeeds() {
        String kept = order();
        running().expect(List.of(kept), it -> {
            shop().takeTransactionally(kept);
            assertThatThrownBy(() -> shop().takeAndFail(order())).hasMessage("out of stock");
        });
    }

    @ParameterizedTest
    @MethodSource("codes")
    default void aRequiresNewTransactionInsideARolledBackOneIsSent(BusinessCode code) {
        String inner = order();
        running()
                .expect(
                        List.of(inner),
                        it -> transaction().required(outer -> {
                            shop().take(order(), code);
                            transaction().requiresNew(status -> shop().take(inner, code));
                            shop().take(order(), code);
                            outer.setRollbackOnly();
                        }));
    }

    @ParameterizedTest
    @MethodSource("codes")
    default void aRolledBackRequiresNewTransactionInsideACommittedOneIsNot(BusinessCode code) {
        String before = order();
        String after = order();
        running()
                .expect(
                        List.of(before, after),
                        it -> transaction().required(outer -> {
                            shop().take(before, code);
                            transaction().requiresNew(inner -> {
                                shop().take(order(), code);
                                inner.setRollbackOnly();
                            });
                            shop().take(after, code);
                        }));
    }

    @Test
    default void withoutATransactionTheErrorNamesTheFix() {
        running()
                .expect(
                        List.of(),
                        it -> assertThatThrownBy(() -> shop().publish(order()))
                                .isInstanceOf(NoTransactionException.class)
                                .hasMessageContaining("@Transactional"));
    }

    @Test
    default void aReadOnlyTransactionIsRefused() {
        running()
                .expect(
                        List.of(),
                        it -> assertThatThrownBy(() -> transaction().readOnly(status -> shop().publish(order())))
                                .isInstanceOf(NoTransactionException.class)
                                .hasMessageContaining("readOnly"));
    }

    default Shop shop() {
        return running().shop();
    }

    default Propagation transaction() {
        return running().transaction();
    }

    static String order() {
        return "ORD-" + UUID.randomUUID();
    }
}
