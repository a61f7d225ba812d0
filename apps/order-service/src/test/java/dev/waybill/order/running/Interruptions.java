package dev.waybill.order.running;

import dev.waybill.order.domain.OrderCheckpoints;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Lets a test act in the middle of the service's work: once, at one place, for one order. */
public final class Interruptions implements OrderCheckpoints {

    private record Moment(Place place, String orderNo) {}

    private final Map<Moment, Runnable> planned = new ConcurrentHashMap<>();

    public void at(Place place, String orderNo, Runnable action) {
        planned.put(new Moment(place, orderNo), action);
    }

    @Override
    public void reached(Place place, String orderNo) {
        Runnable action = planned.remove(new Moment(place, orderNo));
        if (action != null) {
            action.run();
        }
    }
}
