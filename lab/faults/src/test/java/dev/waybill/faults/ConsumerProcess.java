package dev.waybill.faults;

import dev.waybill.inbox.InboxListener;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.testkit.CrashPoints;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A consumer as a process of its own, whose business is one row in {@code effect} and {@code workMs} of work. Prints
 * {@code READY}, and with {@code tell=1} a line for each event that it consumed or recognised as a repeat.
 */
final class ConsumerProcess {

    private ConsumerProcess() {}

    public static void main(String[] arguments) throws InterruptedException {
        NodeSettings spec = NodeSettings.parse(arguments);
        long work = Duration.ofMillis(spec.number("workMs", 0)).toNanos();
        ConsumerNode node = new ConsumerNode(
                spec,
                (connection, event) -> {
                    HandlerResult handled = ConsumerNode.effect(connection, event);
                    LockSupport.parkNanos(work);
                    return handled;
                },
                spec.number("tell", 0) == 1 ? new Telling() : new InboxListener() {},
                CrashPoints.fromSystemProperty(),
                delivery -> {});
        Runtime.getRuntime().addShutdownHook(new Thread(node::close));
        node.consuming.start();
        say("READY");
        Thread.currentThread().join();
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static final class Telling implements InboxListener {

        @Override
        public void consumed(Event event, String group, Duration cost) {
            say("CONSUMED " + event.eventId());
        }

        @Override
        public void repeated(Event event, String group) {
            say("REPEATED " + event.eventId());
        }
    }
}
