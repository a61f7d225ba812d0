package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.store.Admission;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Fail: a failure is counted with its error, the event is admitted again, and what is done stays done. */
interface InboxFailRules extends InboxRules {

    @Test
    default void aFailureIsCountedAndExplained() {
        fail(received(1), "order 17 is missing");
        fail(received(1), "订单不存在");

        if (!fixture().traits().keepsStates()) {
            assertThat(fixture().row("event-1", GROUP))
                    .as("a row would mean done")
                    .isNull();
            assertThat(store().lastError("event-1", GROUP)).isEmpty();
            return;
        }
        assertThat(row(received(1)).done()).isFalse();
        assertThat(row(received(1)).attempts()).isEqualTo(2);
        assertThat(row(received(1)).error()).isEqualTo("订单不存在");
        assertThat(store().lastError("event-1", GROUP)).contains("订单不存在");
        assertThat(store().lastError("event-1", "billing")).isEmpty();
        assertThat(store().lastError("event-2", GROUP)).isEmpty();
    }

    @Test
    default void whatFailedIsAdmittedAgainWithItsAttempts() {
        fail(received(1), "first");
        fail(received(1), "second");

        Admission admission = consume(received(1));

        assertThat(((Admission.Admitted) admission).attempts())
                .isEqualTo(fixture().traits().keepsErrors() ? 2 : 0);
        assertThat(row(received(1)).done()).isTrue();
        assertThat(row(received(1)).error()).isNull();
        assertThat(store().lastError("event-1", GROUP)).isEmpty();
        assertThat(consume(received(1))).isEqualTo(new Admission.AlreadyDone());
        assertThat(fixture().effects()).containsExactly("event-1");
    }

    @Test
    default void aFailureNeverTouchesWhatIsDone() {
        consume(received(1));
        String before = row(received(1)).everything();

        fail(received(1), "a late copy failed");

        assertThat(row(received(1)).everything()).isEqualTo(before);
        assertThat(consume(received(1))).isEqualTo(new Admission.AlreadyDone());
    }

    @Test
    default void aGroupsFailureIsItsOwn() {
        consume(received(1));
        fail(received(1, "billing"), "no such address");

        assertThat(row(received(1)).done()).isTrue();
        assertThat(store().lastError("event-1", "billing").isPresent())
                .isEqualTo(
                        fixture().traits().keepsGroups() && fixture().traits().keepsErrors());
    }

    @Test
    default void aLongOrUnstorableErrorIsWrittenAsFarAsItFits() {
        String wide = "错".repeat(3_000);
        fail(received(1), wide);
        fail(received(2), "a" + "😀".repeat(3_000));
        fail(received(3), "nul \u0000 half \ud83d pair");

        if (!fixture().traits().keepsErrors()) {
            assertThat(fixture().row("event-1", GROUP)).isNull();
            return;
        }
        assertThat(row(received(1)).error())
                .isEqualTo(wide.substring(0, fixture().traits().errorLength()));
        String pairs = Objects.requireNonNull(row(received(2)).error());
        assertThat(Character.isHighSurrogate(pairs.charAt(pairs.length() - 1))).isFalse();
        assertThat(row(received(3)).error()).startsWith("nul ").endsWith(" pair");
    }
}
