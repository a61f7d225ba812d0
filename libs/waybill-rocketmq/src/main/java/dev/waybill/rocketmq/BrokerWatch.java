package dev.waybill.rocketmq;

import dev.waybill.lifecycle.WarningThrottle;
import dev.waybill.lifecycle.Worker;
import dev.waybill.message.LogText;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows whether a broker answers, also while nothing is sent: the client keeps no connection that would tell. It asks as often
 * as the client asks for routes.
 */
final class BrokerWatch {

    private static final Logger log = LoggerFactory.getLogger(BrokerWatch.class);
    private static final Duration STOP_PATIENCE = Duration.ofMillis(200);

    private final DefaultMQProducer producer;
    private final String endpoint;
    private final Duration interval;
    private final Worker worker;
    private final WarningThrottle warnings = new WarningThrottle();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile @Nullable String obstacle;

    BrokerWatch(DefaultMQProducer producer, String name, String endpoint, Duration interval) {
        this.producer = producer;
        this.endpoint = endpoint;
        this.interval = interval;
        this.obstacle = "no answer yet from a broker of " + endpoint;
        this.worker = new Worker(
                "waybill-" + name + "-watch",
                this::look,
                error -> log.error(
                        "[RocketMqTransport] Nobody asks any more whether a broker answers", LogText.thrown(error)));
    }

    void start() {
        worker.start();
    }

    void stop() {
        stopping.countDown();
        worker.join(STOP_PATIENCE);
    }

    /** Why nothing can be sent, or null. */
    @Nullable String obstacle() {
        return obstacle;
    }

    private void look() throws InterruptedException {
        String silence = BrokerProbe.silence(producer);
        if (silence == null) {
            obstacle = null;
            if (warnings.end()) {
                log.info("[RocketMqTransport] A broker answers again {}", endpoint);
            }
        } else if (stopping.getCount() > 0) {
            obstacle = "no broker of " + endpoint + " answers: " + silence;
            if (warnings.isDue(System.nanoTime())) {
                log.warn("[RocketMqTransport] Sends nothing, trying on: {}", LogText.sentence(obstacle));
            }
        }
        if (stopping.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
            worker.requestStop();
        }
    }
}
