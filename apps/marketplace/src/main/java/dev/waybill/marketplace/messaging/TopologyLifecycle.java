package dev.waybill.marketplace.messaging;

import dev.waybill.lifecycle.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Declares the topology before the relay sends the first event. With the broker away the service starts all the same, and
 * declares as soon as the broker is there: orders are taken, and overdue ones closed, meanwhile.
 */
final class TopologyLifecycle implements SmartLifecycle {

    /** Before the relay, which starts 4096 below the default. */
    static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 8192;

    private static final Logger log = LoggerFactory.getLogger(TopologyLifecycle.class);
    private static final long PAUSE_MILLIS = 500;

    private final TopologyBroker broker;
    private final Topology topology;
    private final Worker worker;
    private CountDownLatch declared = new CountDownLatch(1);
    private volatile boolean running;

    TopologyLifecycle(TopologyBroker broker, Topology topology) {
        this.broker = broker;
        this.topology = topology;
        this.worker =
                new Worker("marketplace-topology", this::again, error -> log.error("[Topology] Declaring died", error));
    }

    @Override
    public synchronized void start() {
        if (running) {
            return;
        }
        running = true;
        declared = new CountDownLatch(1);
        try {
            declareNow();
        } catch (IOException | TimeoutException e) {
            log.warn("[Topology] broker away, declares when it is back cause={}", e.toString());
            worker.start();
        }
    }

    private void declareNow() throws IOException, TimeoutException {
        broker.declare(topology);
        declared.countDown();
        log.info(
                "[Topology] declared exchange={} queues={}",
                topology.exchange(),
                topology.queues().size());
    }

    private void again() throws InterruptedException {
        if (declared.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
            worker.requestStop();
            return;
        }
        try {
            declareNow();
        } catch (IOException | TimeoutException e) {
            log.debug("[Topology] broker still away", e);
        }
    }

    @Override
    public synchronized void stop() {
        running = false;
        worker.join(Duration.ofSeconds(1));
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
