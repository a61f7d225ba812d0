package dev.waybill.starter.tracing;

import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.Observation;

/** Keeps Micrometer from timing each span: relay and inbox have meters of their own, and a timer would cost more than the span. */
final class NoEventMeters implements MeterObservationHandler<EventSpanContext> {

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof EventSpanContext;
    }
}
