package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableMappingTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "x;DROP TABLE y", "x'", "x\"", "x`", "1x", "x--", "a.b.c", "表"})
    void namesThatCouldBeSqlAreRefused(String name) {
        TableMapping.Builder mapping = Layouts.waybill().toBuilder();

        assertThatIllegalArgumentException().isThrownBy(() -> mapping.column(OutboxColumn.DUE, name));
        assertThatIllegalArgumentException().isThrownBy(() -> mapping.table(name));
        assertThatIllegalArgumentException().isThrownBy(() -> mapping.table("shop." + name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "NEW'", "NEW OR 1=1", "0;1", "新"})
    void wordsThatCouldBeSqlAreRefused(String word) {
        TableMapping.Builder mapping = Layouts.waybill().toBuilder();

        assertThatIllegalArgumentException().isThrownBy(() -> mapping.word(OutboxState.NEW, word));
        assertThatIllegalArgumentException().isThrownBy(() -> mapping.alsoClaimable(word));
    }

    @Test
    void aMappingWithoutTheEssentialsNamesWhatIsMissing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        Layouts.waybill().toBuilder().without(OutboxColumn.DUE).build())
                .withMessage("the mapping of table waybill_outbox needs a column for DUE");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        Layouts.waybill().toBuilder().without(OutboxState.DEAD).build())
                .withMessage("the mapping of table waybill_outbox needs a status word for DEAD");
    }

    @Test
    void theFenceIsTheTokenElseTheVersionElseTheDueTime() {
        assertThat(Layouts.waybill().fence()).isEqualTo(TableMapping.Fence.TOKEN);
        assertThat(Layouts.tOutboxEvent().fence()).isEqualTo(TableMapping.Fence.VERSION);
        assertThat(Layouts.outboxEvent().fence()).isEqualTo(TableMapping.Fence.DUE);
        assertThat(Layouts.outboxEvents().fence()).isEqualTo(TableMapping.Fence.DUE);
        assertThat(Layouts.ledgerEvents().fence()).isEqualTo(TableMapping.Fence.DUE);
    }

    @Test
    void claimableAreNewClaimedRetryAndWhatTheMappingAdds() {
        assertThat(Layouts.ledgerEvents().claimable()).containsExactly("1", "2");
        assertThat(Layouts.tOutboxEvent().toBuilder()
                        .alsoClaimable("PENDING")
                        .build()
                        .claimable())
                .containsExactly("NEW", "RETRY", "PENDING");
    }

    @Test
    void anUnknownLayoutListsTheKnownOnes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Layouts.named("outbox"))
                .withMessage("no layout 'outbox'; there are "
                        + "[waybill, t_outbox_event, outbox_event, outbox_events, events]");
    }
}
