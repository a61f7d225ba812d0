package dev.waybill.bench;

import dev.waybill.servers.CpuMeter;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A backlog, committed while no relay ran, is sent and settled. Twice: while somebody reads the queue, as in a running system,
 * and while nobody does, where a classic queue costs the broker more than twice as much per message.
 */
final class Drain implements Workload {

    static final String UNREAD = "Drain a backlog, nobody reads";
    static final String READ = "Drain a backlog, a reader beside";

    private static final int PATIENCE = 180;

    private final boolean read;
    private final int events;
    private final int peerEvents;

    /** Peers get a shorter one: their rate falls with its length, and a run has to end. */
    Drain(boolean read, int events, int peerEvents) {
        this.read = read;
        this.events = events;
        this.peerEvents = peerEvents;
    }

    @Override
    public String title() {
        return read ? READ : UNREAD;
    }

    @Override
    public boolean takes(Entrant entrant, Ground ground) {
        if (entrant.id().equals(Field.INBOX)) {
            return false;
        }
        if (read && ground.broker() != BrokerKind.CLASSIC) {
            return false; // a run has to end
        }
        return switch (entrant.role()) {
            case WAYBILL -> true;
            case PEER -> ground.broker() != BrokerKind.ROCKETMQ;
            case LIMIT -> entrant.id().equals(Field.RAW);
        };
    }

    /** A backlog is gone before the compilers have done with the code that sends it. */
    @Override
    public int warmUps() {
        return 5;
    }

    @Override
    public Figures once(Lane lane, boolean warmUp) {
        int count = lane.entrant().role() == Entrant.Role.PEER ? peerEvents : events;
        long first = lane.take(count);
        lane.mailbox().arrivals().clear();
        if (read) {
            lane.mailbox().listen();
        }
        lane.ask("fill " + first + " " + count);
        Statements statements = new Statements(lane.database());
        long statementsBefore = statements.count();
        CpuMeter meter = lane.meter();
        CpuMeter.Reading before = meter.read();
        Map<String, String> answer = lane.ask("drain " + count + " " + PATIENCE);
        CpuMeter.Reading cost = meter.read().minus(before);
        lane.ask("relay off");
        double settling = (double) (statements.count() - statementsBefore) / count;
        Set<Long> committed = Commits.range(first, count);
        Check.settled(Double.parseDouble(answer.getOrDefault("unsettled", "NaN")));
        Check.arrived(lane, committed);
        lane.mailbox().stopListening();
        double perThousand = 1e6 / count;
        return Figures.of(
                "rate", count / Double.parseDouble(answer.getOrDefault("seconds", "NaN")),
                "statements", settling,
                "cpu", cost.sum() * perThousand,
                "cpu.own", cost.parts().get(0) * perThousand,
                "cpu.database", cost.parts().get(1) * perThousand,
                "cpu.broker", cost.parts().get(2) * perThousand,
                "repeated", lane.mailbox().arrivals().repeats());
    }

    @Override
    public List<Column> columns() {
        return List.of(
                Column.of("events/s", "rate", 0),
                Column.ratio("of the broker alone", "rate", Field.RAW),
                Column.of("statements/event", "statements", 3),
                Column.of("CPU ms/1,000", "cpu", 0),
                Column.ratio("CPU × the broker alone", "cpu", Field.RAW),
                Column.of("own", "cpu.own", 0),
                Column.of("database", "cpu.database", 0),
                Column.of("broker", "cpu.broker", 0),
                Column.of("repeated", "repeated", 0));
    }
}
