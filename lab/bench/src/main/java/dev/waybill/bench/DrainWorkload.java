package dev.waybill.bench;

import dev.waybill.servers.CpuMeter;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A backlog, committed while no relay ran, is sent and settled. Twice: while somebody reads the queue, as in a running system,
 * and while nobody does, where a classic queue costs the broker more than twice as much per message.
 */
final class DrainWorkload implements Workload {

    static final String UNREAD = "Drain a backlog, nobody reads";
    static final String READ = "Drain a backlog, a reader beside";

    private static final int PATIENCE = 180;

    private final boolean read;
    private final int events;
    private final int peerEvents;

    /** Peers get a shorter backlog, because their rate falls with its length and the run would take hours. */
    DrainWorkload(boolean read, int events, int peerEvents) {
        this.read = read;
        this.events = events;
        this.peerEvents = peerEvents;
    }

    @Override
    public String title() {
        return read ? READ : UNREAD;
    }

    @Override
    public boolean includes(ContenderSettings contender, Environment environment) {
        if (contender.id().equals(Contenders.INBOX)) {
            return false;
        }
        if (read && environment.broker() != BrokerKind.CLASSIC) {
            return false; // keeps the whole run short
        }
        return switch (contender.role()) {
            case WAYBILL -> true;
            case PEER -> environment.broker() != BrokerKind.ROCKETMQ;
            case LIMIT -> contender.id().equals(Contenders.RAW);
        };
    }

    /** One backlog is sent before the compilers have finished with the code that sends it, so several are needed. */
    @Override
    public int warmUps() {
        return 5;
    }

    @Override
    public Figures once(RunningContender running, boolean warmUp) {
        int count = running.contender().role() == ContenderSettings.Role.PEER ? peerEvents : events;
        long first = running.take(count);
        running.queue().arrivals().clear();
        if (read) {
            running.queue().listen();
        }
        running.ask("fill " + first + " " + count);
        StatementCounter statements = new StatementCounter(running.database());
        long statementsBefore = statements.count();
        CpuMeter meter = running.meter();
        CpuMeter.Reading before = meter.read();
        Map<String, String> answer = running.ask("drain " + count + " " + PATIENCE);
        CpuMeter.Reading cost = meter.read().minus(before);
        running.ask("relay off");
        double settling = (double) (statements.count() - statementsBefore) / count;
        Set<Long> committed = Commits.range(first, count);
        CorrectnessCheck.settled(Double.parseDouble(answer.getOrDefault("unsettled", "NaN")));
        CorrectnessCheck.arrived(running, committed);
        running.queue().stopListening();
        double perThousand = 1e6 / count;
        return Figures.of(
                "rate", count / Double.parseDouble(answer.getOrDefault("seconds", "NaN")),
                "statements", settling,
                "cpu", cost.sum() * perThousand,
                "cpu.own", cost.parts().get(0) * perThousand,
                "cpu.database", cost.parts().get(1) * perThousand,
                "cpu.broker", cost.parts().get(2) * perThousand,
                "repeated", running.queue().arrivals().repeats());
    }

    @Override
    public List<ResultColumn> columns() {
        return List.of(
                ResultColumn.of("events/s", "rate", 0),
                ResultColumn.ratio("of the broker alone", "rate", Contenders.RAW),
                ResultColumn.of("statements/event", "statements", 3),
                ResultColumn.of("CPU ms/1,000", "cpu", 0),
                ResultColumn.ratio("CPU × the broker alone", "cpu", Contenders.RAW),
                ResultColumn.of("own", "cpu.own", 0),
                ResultColumn.of("database", "cpu.database", 0),
                ResultColumn.of("broker", "cpu.broker", 0),
                ResultColumn.of("repeated", "repeated", 0));
    }
}
