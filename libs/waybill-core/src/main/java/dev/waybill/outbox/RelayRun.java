package dev.waybill.outbox;

import dev.waybill.store.Lease;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A relay from its start to its stop, or to the Error that ended it: all that it holds in memory, under a lease of its own,
 * and its threads. A run that ended never comes back, so a thread that still hangs in a driver cannot meddle with the next
 * one. What it held and did not settle returns when its leases end.
 */
final class RelayRun {

    private final RelayContext context;
    private final SendWindow window;
    private final SettlementQueue settlements;
    private final SendQueue queue;
    private final Claimer claimer;
    private final CommitCheck commitCheck;
    private final RelayHandoff handoff;
    private final PreparedMessages prepared;
    private final Sender sender;
    private final Settler settler;
    private final BreakerProbe probe;
    private final RelayWorkers workers;

    /**
     * Who feeds whom: commits (handoff, then commitCheck) and the table (claimer) fill the queue, the sender empties it, the
     * broker's answers become settlements, the settler writes those.
     */
    RelayRun(RelayContext context, Consumer<Error> failed) {
        this.context = context;
        Consumer<Error> onError = error -> {
            abandon();
            failed.accept(error);
        };
        RelaySettings settings = context.settings();
        RelayHooks hooks = context.hooks();
        Breakers breakers = context.breakers();
        breakers.forgetUnanswered(hooks.now()); // the messages of an earlier run get no answer here

        this.window = new SendWindow(settings.minWindow(), settings.maxWindow(), breakers::keptBySilentTopics);
        this.settlements = new SettlementQueue(settings.settleBatch(), settings.settleLinger());
        this.queue = new SendQueue(settings.handoffCapacity());
        InFlightEvents inFlight =
                new InFlightEvents(new Lease(newToken(), settings.lease()), queue, settings.maxBytes());

        this.claimer = new Claimer(context.store(), settings, inFlight, settlements, breakers, hooks);
        this.commitCheck = new CommitCheck(context.store(), inFlight, queue, settlements, context.reporter());
        this.handoff = new RelayHandoff(inFlight, queue, commitCheck, settlements, breakers, claimer, hooks);

        SendResultRecorder results =
                new SendResultRecorder(context.retries(), settlements, window, breakers, hooks, onError);
        this.prepared = new PreparedMessages(queue, context.messages(), breakers, results, hooks, settings.lease());
        RepeatBudget budget = new RepeatBudget(settings, window, settlements);
        this.sender = new Sender(context.transport(), prepared, window, budget, results, hooks);

        LeaseRenewer leases = new LeaseRenewer(context.store(), inFlight, hooks);
        this.settler = new Settler(context.store(), settlements, inFlight, leases, context.reporter(), hooks);
        this.probe = new BreakerProbe(context.transport(), breakers, window, claimer, hooks);
        CommitWatcher watcher = new CommitWatcher(context.store(), claimer);
        this.workers = new RelayWorkers(claimer, commitCheck, sender, settler, probe, watcher, onError);
    }

    void start() {
        handoff.open(true);
        workers.start();
    }

    /**
     * Takes nothing new, waits for transactions and answers under way, writes them, gives back the rest. No step gets all
     * of the time: a claim that hangs in its driver must leave some for the answers, and those some for their rows.
     *
     * @return whether nothing was left
     */
    boolean stop(Duration deadline) {
        long budget = deadline.toNanos();
        long end =
                System.nanoTime() + budget - budget / 10; // the last tenth is for threads that have to be interrupted
        handoff.open(false);
        workers.stopWatching();
        workers.claim.requestStop();
        workers.send.requestStop();
        claimer.wake();
        boolean clean = workers.claim.join(left(end - budget / 2));
        clean &= workers.send.join(left(end - budget / 3));
        clean &= await(
                () -> {
                    prepared.releaseAll();
                    return queue.reserved() == 0 && window.inFlight() == 0;
                },
                end - budget / 5);
        workers.check.requestStop();
        workers.probe.requestStop();
        clean &= await(() -> settlements.unsettled() == 0, end);
        clean &= workers.settle.join(left(end));
        clean &= workers.check.join(left(end));
        clean &= workers.probe.join(left(end));
        workers.watch.join(left(end)); // holds no row, so whatever keeps it leaves no work undone
        if (!clean) {
            context.reporter().stoppedWith(waiting(), inFlight(), unsettled());
        }
        return clean;
    }

    /** After an Error nobody can say what its parts still hold together. Nothing more is claimed, sent or written. */
    void abandon() {
        handoff.open(false);
        workers.requestStop();
    }

    /** One batch on the calling thread; see {@link Relay#runOnce}. */
    int round(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        boolean up = await(
                () -> {
                    probe.probeDue();
                    return !context.breakers().brokerIsDown();
                },
                end);
        if (!up) {
            return 0;
        }
        int taken = claimer.claim(context.settings().batch());
        await(
                () -> {
                    sendWaiting();
                    return waiting() == 0 && inFlight() == 0;
                },
                end);
        settler.flush();
        return taken;
    }

    Handoff handoff() {
        return handoff;
    }

    void wake() {
        claimer.wake();
    }

    int waiting() {
        return commitCheck.waiting() + prepared.waiting();
    }

    int inFlight() {
        return window.inFlight();
    }

    int unsettled() {
        return settlements.unsettled();
    }

    int window() {
        return window.limit();
    }

    private void sendWaiting() {
        try {
            if (prepared.waiting() > 0) {
                sender.step();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Duration left(long end) {
        return Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime()));
    }

    private static boolean await(BooleanSupplier done, long end) {
        while (!done.getAsBoolean()) {
            if (System.nanoTime() - end > 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }

    private static String newToken() {
        return UUID.randomUUID().toString().replace("-", "").substring(0, 20);
    }
}
