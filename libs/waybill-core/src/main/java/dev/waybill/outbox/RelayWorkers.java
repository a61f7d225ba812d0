package dev.waybill.outbox;

import dev.waybill.lifecycle.Worker;
import java.util.List;
import java.util.function.Consumer;

/** The threads of one run: claim, check, send, settle, probe. */
final class RelayWorkers {

    final Worker claim;
    final Worker check;
    final Worker send;
    final Worker settle;
    final Worker probe;

    RelayWorkers(
            Claimer claimer,
            CommitCheck commitCheck,
            Sender sender,
            Settler settler,
            BreakerProbe breakerProbe,
            Consumer<Error> onError) {
        this.claim = new Worker("waybill-claim", claimer::step, onError);
        this.check = new Worker("waybill-check", commitCheck::step, onError);
        this.send = new Worker("waybill-send", sender::step, onError);
        this.settle = new Worker("waybill-settle", settler::step, onError);
        this.probe = new Worker("waybill-probe", breakerProbe::step, onError);
    }

    void start() {
        all().forEach(Worker::start);
    }

    void requestStop() {
        all().forEach(Worker::requestStop);
    }

    private List<Worker> all() {
        return List.of(claim, check, send, settle, probe);
    }
}
