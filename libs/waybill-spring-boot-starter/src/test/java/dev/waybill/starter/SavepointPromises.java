package dev.waybill.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.starter.shop.BusinessCode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the outbox promises about savepoints, where the transaction manager has them; Hibernate's JpaDialect has not. */
interface SavepointPromises extends TransactionPromises {

    @ParameterizedTest
    @MethodSource("codes")
    default void aNestedTransactionRolledBackToItsSavepointTakesOnlyItsOwnEvents(BusinessCode code) {
        String before = TransactionPromises.order();
        String undone = TransactionPromises.order();
        String after = TransactionPromises.order();
        running()
                .expect(
                        List.of(before, after),
                        it -> transaction().required(outer -> {
                            shop().take(before, code);
                            assertThatThrownBy(() -> transaction().nested(inner -> {
                                        shop().take(undone, BusinessCode.JDBC);
                                        throw new IllegalStateException("undone");
                                    }))
                                    .hasMessage("undone");
                            shop().take(after, code);
                        }));
        assertThat(running().hasOrder(undone)).isFalse();
    }

    @Test
    default void aNestedTransactionThatPublishedFirstIsUndoneToo() {
        String after = TransactionPromises.order();
        running()
                .expect(
                        List.of(after),
                        it -> transaction().required(outer -> {
                            transaction().nested(inner -> {
                                shop().take(TransactionPromises.order(), BusinessCode.JDBC);
                                inner.setRollbackOnly();
                            });
                            shop().take(after, BusinessCode.JDBC);
                        }));
    }

    @Test
    default void aNestedTransactionThatSucceedsGoesWithTheOuterOne() {
        String outer = TransactionPromises.order();
        String inner = TransactionPromises.order();
        running()
                .expect(
                        List.of(outer, inner),
                        it -> transaction().required(status -> {
                            shop().take(outer, BusinessCode.JDBC);
                            transaction().nested(nested -> shop().take(inner, BusinessCode.JDBC));
                        }));
        running()
                .expect(
                        List.of(),
                        it -> transaction().required(status -> {
                            transaction().nested(nested -> shop().take(TransactionPromises.order(), BusinessCode.JDBC));
                            status.setRollbackOnly();
                        }));
    }

    @Test
    default void aSavepointSetByHandIsHeardOf() {
        String kept = TransactionPromises.order();
        String last = TransactionPromises.order();
        running()
                .expect(
                        List.of(kept, last),
                        it -> transaction().required(status -> {
                            shop().take(kept, BusinessCode.JDBC);
                            Object savepoint = status.createSavepoint();
                            shop().take(TransactionPromises.order(), BusinessCode.JDBC);
                            status.rollbackToSavepoint(savepoint);
                            shop().take(TransactionPromises.order(), BusinessCode.JDBC);
                            status.rollbackToSavepoint(savepoint);
                            status.releaseSavepoint(savepoint);
                            shop().take(last, BusinessCode.JDBC);
                        }));
    }
}
