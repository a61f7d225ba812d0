package dev.waybill.guard.boot;

/** Counts outcomes. */
@FunctionalInterface
interface GuardMeter {

    /** One more {@code outcome} of the handler, or the prefix, named {@code subject}. */
    void count(GuardMetric metric, String subject, String outcome);

    /** Counts nothing: for services without Micrometer. */
    static GuardMeter none() {
        return (metric, subject, outcome) -> {};
    }
}
