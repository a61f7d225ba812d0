package dev.waybill.inventory.gate;

import dev.waybill.inventory.domain.StockGate;
import java.time.Clock;
import java.time.Duration;

class InProcessGateTest implements StockGateContract {

    @Override
    public StockGate gate(Duration lease) {
        return new InProcessGate(Clock.systemUTC(), lease);
    }
}
