package dev.waybill.jdbc;

/** Dead letters in the table {@code waybill_dead_letter}. The verbs follow with their contract. */
public final class JdbcDeadLetterStore {
    static final String TABLE = "waybill_dead_letter";

    private JdbcDeadLetterStore() {}
}
