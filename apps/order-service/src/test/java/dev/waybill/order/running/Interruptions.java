package dev.waybill.order.running;

import dev.waybill.servicetestkit.OrderStep;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Lets a test act in the middle of the service's work: once, at one step, for one order. */
public final class Interruptions {

    private record Moment(OrderStep step, String orderNo) {}

    private final Map<Moment, Runnable> planned = new ConcurrentHashMap<>();

    public void at(OrderStep step, String orderNo, Runnable action) {
        planned.put(new Moment(step, orderNo), action);
    }

    void reached(OrderStep step, String orderNo) {
        Runnable action = planned.remove(new Moment(step, orderNo));
        if (action != null) {
            action.run();
        }
    }
}
