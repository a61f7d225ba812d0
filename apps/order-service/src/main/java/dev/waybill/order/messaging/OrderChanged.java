package dev.waybill.order.messaging;

import dev.waybill.order.domain.Item;
import dev.waybill.order.domain.Order;
import java.math.BigDecimal;
import java.util.List;

/** The payload of OrderCreated and OrderCanceled. */
record OrderChanged(String orderNo, long userId, BigDecimal amount, List<Item> items) {

    static OrderChanged of(Order order) {
        return new OrderChanged(order.orderNo(), order.userId(), order.amount(), order.items());
    }
}
