package dev.waybill.order.domain;

import java.util.List;

/** A user's orders, page by page, newest first. */
public final class OrderPages {

    public static final int LARGEST_PAGE = 100;
    private static final int LAST_PAGE = 1_000_000;

    private final OrderRepository orders;

    public OrderPages(OrderRepository orders) {
        this.orders = orders;
    }

    /**
     * One page.
     *
     * @param page from 1
     * @param total of all pages
     */
    public record Page(List<Order> orders, int page, int size, long total) {}

    public Page of(long userId, int page, int size) {
        Validation.within("userId", userId, 1, Long.MAX_VALUE);
        Validation.within("page", page, 1, LAST_PAGE);
        Validation.within("size", size, 1, LARGEST_PAGE);
        return new Page(orders.ofUser(userId, (page - 1L) * size, size), page, size, orders.countOfUser(userId));
    }
}
