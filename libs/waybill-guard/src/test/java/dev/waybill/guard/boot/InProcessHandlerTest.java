package dev.waybill.guard.boot;

import dev.waybill.guard.running.Orders;
import dev.waybill.guard.running.Service;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class InProcessHandlerTest implements IdempotentHandlerContract {

    private static Service service;

    @BeforeAll
    static void start() {
        service = Service.with(List.of(Orders.class));
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Override
    public Service service() {
        return service;
    }
}
