package dev.waybill.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.Test;

class TrafficTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Traffic traffic = new Traffic();

    @Test
    void theFirstOfATopicWaitsForNobody() {
        traffic.left(load("other", 1));

        assertThat(giveWay(load("topic", 1))).succeedsWithin(PATIENCE).isEqualTo(true);
    }

    @Test
    void aFewWaitForTheOneBeforeThemButOnlyForAMoment() {
        traffic.left(load("topic", 1));
        assertThat(giveWay(load("topic", 3))).succeedsWithin(PATIENCE).isEqualTo(false);

        traffic.arrived(load("topic", 1));
        assertThat(giveWay(load("topic", 3))).succeedsWithin(PATIENCE).isEqualTo(true);
    }

    @Test
    void aBatchWaitsForNobody() {
        traffic.left(load("topic", 1));

        assertThat(giveWay(load("topic", Traffic.WORTH_A_TRIP)))
                .succeedsWithin(PATIENCE)
                .isEqualTo(true);
    }

    /** Whether it came through before the moment was over. */
    private CompletableFuture<Boolean> giveWay(Load load) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return traffic.giveWay(load);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static Load load(String topic, int messages) {
        Shipment shipment = new Shipment(new Message(topic, new byte[1]), 1, 0, (index, outcome) -> {});
        return new Load(Collections.nCopies(messages, shipment), System.nanoTime() + PATIENCE.toNanos());
    }
}
