package dev.waybill.order.domain;

import java.util.regex.Pattern;

/**
 * A request for an order, checked.
 *
 * @param userId who orders
 * @param clientRequestId the caller's id of this request: a repeat with the same id is the same order
 * @param items what is ordered
 */
public record NewOrder(long userId, String clientRequestId, OrderItems items) {

    private static final Pattern REQUEST_ID = Pattern.compile("[!-~]{1,128}");

    public NewOrder {
        Validation.within("userId", userId, 1, Long.MAX_VALUE);
        Validation.require(
                REQUEST_ID.matcher(clientRequestId).matches(), "clientRequestId", "1 to 128 visible ASCII characters");
    }
}
