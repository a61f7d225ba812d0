package dev.waybill.job;

/** What became of one subject. */
public sealed interface JobItemResult {

    /** Worked off, now or before. */
    record Done() implements JobItemResult {}

    /** It cannot be worked off. */
    record Refused(String why) implements JobItemResult {}

    /** Somebody else is at it: the job comes back to it. */
    record Later(String why) implements JobItemResult {}

    /** Nothing of this job can be worked off now, because something that it needs is away: the job waits. */
    record Blocked(String why) implements JobItemResult {}
}
