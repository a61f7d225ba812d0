package dev.waybill.store;

/**
 * A row whose columns make no event: it was written wrongly, or for another mapping. It is never sent; its relay
 * marks it DEAD with the reason, and the rows behind it go on.
 *
 * @param reason why it cannot be read, with what its payload column says
 */
public record UnreadableRow(String rowKey, String eventId, int attempts, String fence, String reason)
        implements ClaimedRow {

    /** Stands in for the event's type in logs, metrics and the audit. */
    public static final String TYPE = "unreadable";
}
