package dev.waybill.faults;

import dev.waybill.message.Event;
import dev.waybill.outbox.RelayListener;
import dev.waybill.outbox.RelayStats;
import dev.waybill.testkit.CrashPoints;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendTarget;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A node as a process of its own. Prints {@code READY}, then a {@code STATS} line every 100 ms; with {@code produce=n} it
 * commits n events on 4 threads and prints {@code PRODUCED}. SIGTERM stops it in good order: {@code STOPPED clean=…}.
 */
final class RelayProcess {

    private RelayProcess() {}

    public static void main(String[] arguments) throws InterruptedException {
        NodeSettings spec = NodeSettings.parse(arguments);
        RelayNode node = new RelayNode(spec, new Alarms(), CrashPoints.fromSystemProperty());
        Producers producers =
                new Producers(node, spec.number("threads", 4), spec.number("produce", 0), spec.number("rate", 0));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(node, producers)));
        node.relay.start();
        say("READY");
        Thread stats = new Thread(() -> tellStats(node), "stats");
        stats.setDaemon(true);
        stats.start();
        if (spec.number("produce", 0) > 0) {
            producers.start().join();
            say("PRODUCED committed=" + producers.committed().size() + " failures=" + producers.failures());
        }
        Thread.currentThread().join();
    }

    private static void stop(RelayNode node, Producers producers) {
        long begun = System.nanoTime();
        producers.close();
        boolean clean = node.relay.stop(Duration.ofSeconds(15));
        node.close();
        say("STOPPED clean=" + clean + " ms=" + (System.nanoTime() - begun) / 1_000_000 + " committed="
                + producers.committed().size());
    }

    private static void tellStats(RelayNode node) {
        while (true) {
            LockSupport.parkNanos(100_000_000);
            say("STATS " + line(node.relay.stats()));
        }
    }

    private static String line(RelayStats stats) {
        return "sent=" + stats.sent() + " inFlight=" + stats.inFlight() + " unsettled=" + stats.unsettled() + " window="
                + stats.window() + " leasesLost=" + stats.leasesLost();
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** Tells the parent process about outages and dead events. */
    private static final class Alarms implements RelayListener {

        @Override
        public void dead(Event event, int attempts, String error) {
            say("DEAD " + event.eventId() + " " + error);
        }

        @Override
        public void destinationDown(SendTarget target, SendFailure failure, String detail) {
            say("DOWN " + target.label() + " " + failure);
        }

        @Override
        public void destinationUp(SendTarget target) {
            say("UP " + target.label());
        }
    }
}
