package dev.waybill.order.domain;

import java.util.regex.Pattern;

/**
 * An order that somebody asks for.
 *
 * @param userId who
 * @param clientRequestId the caller's name for this request: the same name is the same order
 * @param basket what
 */
public record NewOrder(long userId, String clientRequestId, Basket basket) {

    private static final Pattern REQUEST_ID = Pattern.compile("[!-~]{1,128}");

    public NewOrder {
        Rules.within("userId", userId, 1, Long.MAX_VALUE);
        Rules.require(
                REQUEST_ID.matcher(clientRequestId).matches(), "clientRequestId", "1 to 128 visible ASCII characters");
    }
}
