package dev.waybill.jdbc;

/** The time zone in which a table's time columns are written, where the column's type has none. */
public enum SqlTimeZone {
    /** The session's time zone, as {@code NOW()} gives it. */
    SESSION,
    /** UTC, which has no summer time: no lease grows by an hour in autumn. */
    UTC
}
