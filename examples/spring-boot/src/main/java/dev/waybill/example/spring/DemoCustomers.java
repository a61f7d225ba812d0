package dev.waybill.example.spring;

import dev.waybill.memory.MemoryBroker;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/** A demo: places an order every second, every third of which fails, and prints each event that arrives. */
@Component
@ConditionalOnProperty("demo.orders")
class DemoCustomers implements ApplicationRunner {

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final OrderService orders;
    private final MemoryBroker broker;
    private final int count;

    /**
     * Creates the demo.
     *
     * @param count how many orders; 0 goes on until the process is stopped
     */
    DemoCustomers(OrderService orders, MemoryBroker broker, @Value("${demo.orders}") int count) {
        this.orders = orders;
        this.broker = broker;
        this.count = count;
    }

    @Override
    public void run(ApplicationArguments arguments) throws InterruptedException {
        broker.subscribe("ORDER_TOPIC", delivery -> {
            var event = delivery.message().event();
            say("  arrived   %s %s %s", event.type(), event.payload(), event.eventId());
        });
        for (int n = 1; count == 0 || n <= count; n++) {
            place("ORD-" + (100 + n), n % 3 == 0);
            TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
        }
    }

    private void place(String orderNo, boolean fails) {
        try {
            if (fails) {
                orders.placeAndFail(orderNo);
            }
            orders.place(orderNo);
            say("committed   %s", orderNo);
        } catch (IllegalStateException e) {
            say("rolled back %s (%s): no event", orderNo, String.valueOf(e.getMessage()));
        }
    }

    private static void say(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
