package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutboxMappingTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "x;DROP TABLE y", "x'", "x\"", "x`", "1x", "x--", "a.b.c", "表"})
    void namesThatCouldBeSqlAreRefused(String name) {
        OutboxMapping.Builder mapping = OutboxLayouts.waybill().toBuilder();

        assertThatIllegalArgumentException().isThrownBy(() -> mapping.column(OutboxColumn.DUE, name));
        assertThatIllegalArgumentException().isThrownBy(() -> mapping.table(name));
        assertThatIllegalArgumentException().isThrownBy(() -> mapping.table("shop." + name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "NEW'", "NEW OR 1=1", "0;1", "新"})
    void wordsThatCouldBeSqlAreRefused(String word) {
        OutboxMapping.Builder mapping = OutboxLayouts.waybill().toBuilder();

        assertThatIllegalArgumentException().isThrownBy(() -> mapping.word(OutboxState.NEW, word));
        assertThatIllegalArgumentException().isThrownBy(() -> mapping.alsoClaimable(word));
    }

    @Test
    void aMappingWithoutTheEssentialsNamesWhatIsMissing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutboxLayouts.waybill().toBuilder()
                        .without(OutboxColumn.DUE)
                        .build())
                .withMessage("the mapping of table waybill_outbox needs a column for DUE");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutboxLayouts.waybill().toBuilder()
                        .without(OutboxState.DEAD)
                        .build())
                .withMessage("the mapping of table waybill_outbox needs a status word for DEAD");
    }

    @Test
    void theFenceIsTheTokenElseTheVersionElseTheDueTime() {
        assertThat(OutboxLayouts.waybill().fence()).isEqualTo(OutboxMapping.Fence.TOKEN);
        assertThat(OutboxLayouts.tOutboxEvent().fence()).isEqualTo(OutboxMapping.Fence.VERSION);
        assertThat(OutboxLayouts.outboxEvent().fence()).isEqualTo(OutboxMapping.Fence.DUE);
        assertThat(OutboxLayouts.outboxEvents().fence()).isEqualTo(OutboxMapping.Fence.DUE);
        assertThat(OutboxLayouts.ledgerEvents().fence()).isEqualTo(OutboxMapping.Fence.DUE);
    }

    @Test
    void claimableAreNewClaimedRetryAndWhatTheMappingAdds() {
        assertThat(OutboxLayouts.ledgerEvents().claimable()).containsExactly("1", "2");
        assertThat(OutboxLayouts.tOutboxEvent().toBuilder()
                        .alsoClaimable("PENDING")
                        .build()
                        .claimable())
                .containsExactly("NEW", "RETRY", "PENDING");
    }

    @Test
    void anUnknownLayoutListsTheKnownOnes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutboxLayouts.named("outbox"))
                .withMessage("no layout 'outbox'; there are "
                        + "[waybill, t_outbox_event, outbox_event, outbox_events, events]");
    }
}
