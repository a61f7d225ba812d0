package dev.waybill.outbox;

import dev.waybill.lifecycle.Worker;
import java.util.List;

/** The relay's threads: claim, send, settle, probe. An error in one of them ends them all, and leases return what they held. */
final class RelayWorkers {

    final Worker claim;
    final Worker send;
    final Worker settle;
    final Worker probe;
    private final RelayHandoff handoff;
    private final RelayReporter reporter;

    RelayWorkers(
            Claimer claimer,
            Sender sender,
            Settler settler,
            BreakerProbe breakerProbe,
            RelayHandoff handoff,
            RelayReporter reporter) {
        this.handoff = handoff;
        this.reporter = reporter;
        this.claim = new Worker("waybill-claim", claimer::step, this::failed);
        this.send = new Worker("waybill-send", sender::step, this::failed);
        this.settle = new Worker("waybill-settle", settler::step, this::failed);
        this.probe = new Worker("waybill-probe", breakerProbe::step, this::failed);
    }

    void start() {
        all().forEach(Worker::start);
    }

    private void failed(Error error) {
        handoff.open(false);
        all().forEach(Worker::requestStop);
        reporter.failed(error);
    }

    private List<Worker> all() {
        return List.of(claim, send, settle, probe);
    }
}
