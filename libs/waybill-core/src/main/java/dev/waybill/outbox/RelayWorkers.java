package dev.waybill.outbox;

import dev.waybill.lifecycle.Worker;
import java.util.List;
import java.util.function.Consumer;

/** The threads of one run: claim, check, send, settle, probe, and one that watches for commits where there are any to hear. */
final class RelayWorkers {

    final Worker claim;
    final Worker check;
    final Worker send;
    final Worker settle;
    final Worker probe;
    final Worker watch;
    private final CommitWatcher commitWatcher;

    RelayWorkers(
            Claimer claimer,
            CommitCheck commitCheck,
            Sender sender,
            Settler settler,
            BreakerProbe breakerProbe,
            CommitWatcher commitWatcher,
            Consumer<Error> onError) {
        this.claim = new Worker("waybill-claim", claimer::step, onError);
        this.check = new Worker("waybill-check", commitCheck::step, onError);
        this.send = new Worker("waybill-send", sender::step, onError);
        this.settle = new Worker("waybill-settle", settler::step, onError);
        this.probe = new Worker("waybill-probe", breakerProbe::step, onError);
        this.watch = new Worker("waybill-watch", commitWatcher::step, onError);
        this.commitWatcher = commitWatcher;
    }

    void start() {
        all().forEach(Worker::start);
        if (commitWatcher.isUseful()) {
            watch.start();
        }
    }

    void requestStop() {
        stopWatching();
        all().forEach(Worker::requestStop);
    }

    /** Its present round lasts as long as it listens, so the round itself has to hear of the stop. */
    void stopWatching() {
        commitWatcher.requestStop();
        watch.requestStop();
    }

    private List<Worker> all() {
        return List.of(claim, check, send, settle, probe);
    }
}
