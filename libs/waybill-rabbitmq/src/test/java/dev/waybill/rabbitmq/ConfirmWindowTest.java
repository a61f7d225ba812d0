package dev.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

class ConfirmWindowTest {

    private final ConfirmWindow window = new ConfirmWindow();
    private long stamps;

    @Test
    void aConfirmOfSeveralTakesEverythingUpToItOnce() {
        List<PendingSend> sent = add(5);

        assertThat(take(2, false)).containsExactly(sent.get(1));
        assertThat(take(4, true)).containsExactly(sent.get(0), sent.get(2), sent.get(3));
        assertThat(take(4, true)).isEmpty();
        assertThat(take(2, false)).isEmpty();
        assertThat(take(9, true)).containsExactly(sent.get(4));
    }

    @Test
    void expiredSendsLeaveAndALateConfirmFindsNothing() {
        PendingSend old = pendingSend(100);
        PendingSend young = pendingSend(200);
        window.add(old);
        window.add(young);

        List<PendingSend> expired = new ArrayList<>();
        window.takeExpired(150, expired);

        assertThat(expired).containsExactly(old);
        assertThat(take(2, true)).containsExactly(young);
    }

    @Test
    void aClosedWindowHandsOutWhatIsLeftAndTakesNothingMore() {
        List<PendingSend> sent = add(3);
        take(1, false);

        assertThat(window.close()).containsExactly(sent.get(1), sent.get(2));
        assertThat(window.add(pendingSend(0))).isFalse();
        assertThat(window.close()).isEmpty();
    }

    /** Against a sorted map, which is slower but obviously right. */
    @Test
    void agreesWithASortedMapWhateverTheOrderOfConfirms() {
        Random random = new Random(42);
        TreeMap<Long, PendingSend> model = new TreeMap<>();
        long next = 1;
        for (int round = 0; round < 20_000; round++) {
            if (random.nextInt(3) > 0) {
                PendingSend send = pendingSend(0);
                window.add(send);
                model.put(next++, send);
            } else {
                long number = Math.max(1, next - random.nextInt(1_500));
                boolean upTo = random.nextInt(20) == 0;
                List<PendingSend> expected = new ArrayList<>();
                if (upTo) {
                    var head = model.headMap(number, true);
                    expected.addAll(head.values());
                    head.clear();
                } else if (model.containsKey(number)) {
                    expected.add(model.remove(number));
                }
                assertThat(take(number, upTo)).isEqualTo(expected);
            }
        }
        assertThat(window.close()).isEqualTo(List.copyOf(model.values()));
    }

    private List<PendingSend> add(int count) {
        List<PendingSend> added = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            PendingSend send = pendingSend(0);
            added.add(send);
            assertThat(window.add(send)).isTrue();
        }
        return added;
    }

    private List<PendingSend> take(long number, boolean upTo) {
        List<PendingSend> taken = new ArrayList<>();
        window.take(number, upTo, taken);
        return taken;
    }

    private PendingSend pendingSend(long deadline) {
        Message message = new Message(Destination.of("x"), Event.of("T", "{}"), new byte[0]);
        return new PendingSend(message, 0, (index, outcome) -> {}, ++stamps, deadline, new Semaphore(0));
    }
}
