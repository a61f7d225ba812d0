package dev.waybill.faults;

import dev.waybill.message.Event;
import dev.waybill.outbox.RelayListener;
import dev.waybill.outbox.RelayStats;
import dev.waybill.testkit.CrashPoints;
import dev.waybill.transport.SendFailure;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A node as a process of its own. Prints {@code READY}, then a {@code STATS} line every 100 ms; with {@code produce=n} it
 * commits n events on 4 threads and prints {@code PRODUCED}. SIGTERM stops it in good order: {@code STOPPED clean=…}.
 */
final class NodeProcess {

    private NodeProcess() {}

    public static void main(String[] arguments) throws InterruptedException {
        NodeSpec spec = NodeSpec.parse(arguments);
        Node node = new Node(spec, new Alarms(), CrashPoints.fromSystemProperty());
        Producers producers =
                new Producers(node, spec.number("threads", 4), spec.number("produce", 0), spec.number("rate", 0));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(node, producers)));
        node.relay.start();
        say("READY");
        var clock = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "stats");
            thread.setDaemon(true);
            return thread;
        });
        clock.scheduleAtFixedRate(() -> say("STATS " + line(node.relay.stats())), 100, 100, TimeUnit.MILLISECONDS);
        if (spec.number("produce", 0) > 0) {
            producers.start().join();
            say("PRODUCED committed=" + producers.committed().size() + " failures=" + producers.failures());
        }
        Thread.currentThread().join();
    }

    private static void stop(Node node, Producers producers) {
        long begun = System.nanoTime();
        producers.close();
        boolean clean = node.relay.stop(Duration.ofSeconds(15));
        node.close();
        say("STOPPED clean=" + clean + " ms=" + (System.nanoTime() - begun) / 1_000_000 + " committed="
                + producers.committed().size());
    }

    private static String line(RelayStats stats) {
        return "sent=" + stats.sent() + " inFlight=" + stats.inFlight() + " unsettled=" + stats.unsettled() + " window="
                + stats.window() + " leasesLost=" + stats.leasesLost();
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** Tells the parent process about outages and burials. */
    private static final class Alarms implements RelayListener {

        @Override
        public void buried(Event event, int attempts, String error) {
            say("DEAD " + event.eventId() + " " + error);
        }

        @Override
        public void destinationDown(String topic, SendFailure failure, String detail) {
            say("DOWN " + topic + " " + failure);
        }

        @Override
        public void destinationUp(String topic) {
            say("UP " + topic);
        }
    }
}
