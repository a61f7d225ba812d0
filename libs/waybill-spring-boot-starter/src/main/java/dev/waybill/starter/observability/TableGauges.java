package dev.waybill.starter.observability;

import dev.waybill.store.DeadLetterStore;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.State;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.OutboxStore.Backlog;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What tables hold, as gauges over the last look at them. Indexes answer, and only so many rows are counted: no look scans a table. */
final class TableGauges {

    private static final double NANOS_PER_SECOND = 1e9;

    private record UnsettledLetters(long open, long replaying) {}

    private TableGauges() {}

    static BackgroundReading<?> ofOutbox(OutboxStore store, MeterRegistry registry) {
        BackgroundReading<Backlog> reading =
                new BackgroundReading<>("outbox", store::backlog, registry, System::nanoTime);
        state(registry, reading, "new", Backlog::fresh);
        state(registry, reading, "retry", Backlog::retrying);
        state(registry, reading, "sent", Backlog::sent);
        state(registry, reading, "dead", Backlog::dead);
        WaybillMeter.OUTBOX_OLDEST_DUE.gauge(
                registry, reading, it -> it.show(backlog -> backlog.oldestDue().toNanos() / NANOS_PER_SECOND));
        return reading;
    }

    private static void state(
            MeterRegistry registry, BackgroundReading<Backlog> reading, String state, ToDoubleFunction<Backlog> rows) {
        WaybillMeter.OUTBOX_BACKLOG.gauge(registry, reading, it -> it.show(rows), state);
    }

    static BackgroundReading<?> ofLetters(DeadLetterStore store, MeterRegistry registry) {
        BackgroundReading<UnsettledLetters> reading = new BackgroundReading<>(
                "letters",
                () -> new UnsettledLetters(count(store, State.OPEN), count(store, State.REPLAYING)),
                registry,
                System::nanoTime);
        letters(registry, reading, State.OPEN, UnsettledLetters::open);
        letters(registry, reading, State.REPLAYING, UnsettledLetters::replaying);
        return reading;
    }

    private static long count(DeadLetterStore store, State state) {
        return store.count(Filter.any().withState(state));
    }

    private static void letters(
            MeterRegistry registry,
            BackgroundReading<UnsettledLetters> reading,
            State state,
            ToDoubleFunction<UnsettledLetters> rows) {
        WaybillMeter.LETTERS_UNSETTLED.gauge(
                registry, reading, it -> it.show(rows), state.name().toLowerCase(Locale.ROOT));
    }
}
