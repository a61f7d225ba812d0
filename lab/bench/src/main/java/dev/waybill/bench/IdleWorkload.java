package dev.waybill.bench;

import dev.waybill.servers.CpuMeter;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The relay runs and there is nothing to do. */
final class IdleWorkload implements Workload {

    static final String TITLE = "Idle";

    private final double seconds;

    IdleWorkload(double seconds) {
        this.seconds = seconds;
    }

    @Override
    public String title() {
        return TITLE;
    }

    @Override
    public boolean includes(ContenderSettings contender, Environment environment) {
        if (contender.id().equals(Contenders.INBOX)) {
            return false;
        }
        return environment.broker() == BrokerKind.CLASSIC && contender.role() != ContenderSettings.Role.LIMIT;
    }

    @Override
    public Figures once(RunningContender running, boolean warmUp) {
        running.ask("relay on");
        StatementCounter statements = new StatementCounter(running.database());
        CpuMeter meter = running.meter();
        double period = warmUp ? 1 : seconds;
        long count = statements.count();
        CpuMeter.Reading before = meter.read();
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < period * 1e9) {
            LockSupport.parkNanos(10_000_000);
        }
        CpuMeter.Reading cost = meter.read().minus(before);
        double perSecond = (statements.count() - count - 1) / period; // one is the counting itself
        running.ask("relay off");
        return Figures.of(
                "statements", Math.max(0, perSecond),
                "cpu.own", cost.parts().get(0) * 1000 / period,
                "cpu.database", cost.parts().get(1) * 1000 / period);
    }

    @Override
    public List<ResultColumn> columns() {
        return List.of(
                ResultColumn.of("statements/s", "statements", 1),
                ResultColumn.of("CPU ms/s", "cpu.own", 1),
                ResultColumn.of("database ms/s", "cpu.database", 1));
    }
}
