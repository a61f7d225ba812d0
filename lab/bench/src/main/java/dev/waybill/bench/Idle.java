package dev.waybill.bench;

import dev.waybill.servers.CpuMeter;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The relay runs and there is nothing to do. */
final class Idle implements Workload {

    static final String TITLE = "Idle";

    private final double seconds;

    Idle(double seconds) {
        this.seconds = seconds;
    }

    @Override
    public String title() {
        return TITLE;
    }

    @Override
    public boolean takes(Entrant entrant, Ground ground) {
        if (entrant.id().equals(Field.INBOX)) {
            return false;
        }
        return ground.broker() == BrokerKind.CLASSIC && entrant.role() != Entrant.Role.LIMIT;
    }

    @Override
    public Figures once(Lane lane, boolean warmUp) {
        lane.ask("relay on");
        Statements statements = new Statements(lane.database());
        CpuMeter meter = lane.meter();
        double period = warmUp ? 1 : seconds;
        long count = statements.count();
        CpuMeter.Reading before = meter.read();
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < period * 1e9) {
            LockSupport.parkNanos(10_000_000);
        }
        CpuMeter.Reading cost = meter.read().minus(before);
        double perSecond = (statements.count() - count - 1) / period; // one is the counting itself
        lane.ask("relay off");
        return Figures.of(
                "statements", Math.max(0, perSecond),
                "cpu.own", cost.parts().get(0) * 1000 / period,
                "cpu.database", cost.parts().get(1) * 1000 / period);
    }

    @Override
    public List<Column> columns() {
        return List.of(
                Column.of("statements/s", "statements", 1),
                Column.of("CPU ms/s", "cpu.own", 1),
                Column.of("database ms/s", "cpu.database", 1));
    }
}
