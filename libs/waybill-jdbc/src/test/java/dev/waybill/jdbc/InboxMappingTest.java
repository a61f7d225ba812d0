package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InboxMappingTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "x;DROP TABLE y", "x'", "x`", "a.b.c"})
    void namesThatCouldBeSqlAreRefused(String name) {
        InboxMapping.Builder mapping = InboxLayouts.waybill().toBuilder();

        assertThatIllegalArgumentException().isThrownBy(() -> mapping.column(InboxColumn.GROUP, name));
        assertThatIllegalArgumentException().isThrownBy(() -> mapping.table(name));
        assertThatIllegalArgumentException().isThrownBy(() -> InboxMapping.builder(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "DONE'", "1 OR 1=1"})
    void wordsThatCouldBeSqlAreRefused(String word) {
        InboxMapping.Builder mapping = InboxLayouts.waybill().toBuilder();

        assertThatIllegalArgumentException().isThrownBy(() -> mapping.word(InboxState.SUCCESS, word));
    }

    @Test
    void aMappingWithoutTheEssentialsNamesWhatIsMissing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InboxLayouts.waybill().toBuilder()
                        .without(InboxColumn.GROUP)
                        .build())
                .withMessageContaining("GROUP, or oneConsumerPerEvent");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InboxLayouts.waybill().toBuilder()
                        .without(InboxColumn.STATUS)
                        .build())
                .withMessageContaining("without one a row means done");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InboxLayouts.eventConsumeLog().toBuilder()
                        .without(InboxColumn.CREATED_AT)
                        .build())
                .withMessageContaining("to sweep by");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InboxLayouts.waybill().toBuilder()
                        .word(InboxState.FAILED, "SUCCESS")
                        .build())
                .withMessageContaining("what is done");
    }

    @Test
    void layoutsAreFoundByName() {
        InboxLayouts.all()
                .forEach(mapping ->
                        assertThat(InboxLayouts.named(mapping.layout()).table()).isEqualTo(mapping.table()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InboxLayouts.named("nothing"))
                .withMessageContaining("t_mq_consume_log");
    }
}
