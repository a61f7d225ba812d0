package dev.waybill.alert;

import java.time.Instant;

/**
 * What people are told.
 *
 * @param scope the application
 * @param key names the alert within the application; the same when it is raised and when it is cleared
 * @param step how bad it is, from 1
 */
public record AlertNotice(
        Kind kind, String scope, String key, String rule, Severity severity, int step, String detail, Instant at) {

    /** What became of the alert. */
    public enum Kind {
        RAISED,
        ESCALATED,
        CLEARED
    }
}
