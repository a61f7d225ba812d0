package dev.waybill.starter.observability;

import dev.waybill.inbox.DeadLetterListener;
import dev.waybill.message.DeadLetter;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import dev.waybill.transport.SubscriptionSpec;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of dead letters, under {@code waybill.letters}. Groups and topics are those of this process's subscriptions. */
final class DeadLetterMetrics implements DeadLetterListener {

    private final MeterRegistry registry;

    DeadLetterMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Zeros, because nobody sees an increase from nothing to one. */
    void register(List<SubscriptionSpec> specs) {
        for (SubscriptionSpec spec : specs) {
            WaybillMeter.LETTERS_SAVED.counter(registry, spec.group(), spec.source());
            WaybillMeter.LETTERS_REPLAYED.counter(registry, spec.group(), spec.source());
            WaybillMeter.LETTERS_REPLAYS_FAILED.counter(registry, spec.group(), spec.source());
        }
    }

    @Override
    public void saved(DeadLetter letter, @Nullable String eventId, @Nullable String eventType) {
        count(WaybillMeter.LETTERS_SAVED, letter);
    }

    @Override
    public void replayed(StoredLetter letter) {
        count(WaybillMeter.LETTERS_REPLAYED, letter.letter());
    }

    @Override
    public void replayFailed(StoredLetter letter, String error) {
        count(WaybillMeter.LETTERS_REPLAYS_FAILED, letter.letter());
    }

    private void count(WaybillMeter meter, DeadLetter letter) {
        meter.counter(registry, letter.group(), letter.source()).increment();
    }
}
