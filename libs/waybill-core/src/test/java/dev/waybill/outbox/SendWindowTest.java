package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SendWindowTest {

    private static final long MS = 1_000_000;

    private final SendWindow window = new SendWindow(16, 512, () -> 0);
    private long now = 5 * MS;

    @Test
    void promptAnswersUnderFullLoadOpenItUpToItsMaximum() throws InterruptedException {
        saturate(60_000, 2);

        assertThat(window.limit()).isEqualTo(512);
    }

    @Test
    void itDoesNotGrowWhileNobodyNeedsMore() throws InterruptedException {
        int before = window.limit();
        for (int i = 0; i < 5_000; i++) {
            window.take(1, Duration.ZERO);
            window.confirmed(2 * MS, now += MS);
        }

        assertThat(window.limit()).isEqualTo(before);
    }

    @Test
    void aMomentInWhichAllAnswersAreMuchSlowerHalvesItOnce() throws InterruptedException {
        saturate(60_000, 2);
        answer(202, 150);
        answer(202, 10);
        answer(202, 10);
        assertThat(window.limit()).isEqualTo(512);

        answer(202, 100);
        answer(202, 10);
        assertThat(window.limit()).isEqualTo(256);
    }

    @Test
    void someSlowAnswersAmongQuickOnesChangeNothing() throws InterruptedException {
        saturate(60_000, 2);
        for (int i = 0; i < 50; i++) {
            answer(202, 60);
            answer(3, 60);
        }

        assertThat(window.limit()).isEqualTo(512);
    }

    @Test
    void aSlowLinkBringsItDownToItsMinimumAndAFastOneUpAgain() throws InterruptedException {
        saturate(60_000, 2);
        for (int i = 0; i < 50; i++) {
            window.take(1, Duration.ZERO);
            window.confirmed(202 * MS, now += 150 * MS);
        }
        assertThat(window.limit()).isEqualTo(16);

        saturate(60_000, 2);
        assertThat(window.limit()).isEqualTo(512);
    }

    @Test
    void aLinkThatStaysSlowBecomesTheNewMeasure() throws InterruptedException {
        saturate(1_000, 2);
        for (int i = 0; i < 100; i++) {
            window.take(1, Duration.ZERO);
            window.confirmed(202 * MS, now += 1_000 * MS);
        }
        int slow = window.limit();
        saturate(20_000, 202);

        assertThat(window.limit()).isGreaterThan(slow);
    }

    @Test
    void anOutageMakesItSmall() throws InterruptedException {
        saturate(60_000, 2);
        window.restart();

        assertThat(window.limit()).isEqualTo(16);
    }

    @Test
    void itDoublesUntilTheBrokerFirstObjects() throws InterruptedException {
        int before = window.limit();
        saturate(before, 2);
        assertThat(window.limit()).isEqualTo(2 * before);

        window.pushedBack(now += 200 * MS);
        assertThat(window.limit()).isEqualTo(before);
        saturate(before, 2);
        assertThat(window.limit()).isGreaterThan(before).isLessThan(2 * before);
    }

    @Test
    void itDoublesAgainAfterAnOutageEvenIfTheBrokerObjectedAtItsBegin() throws InterruptedException {
        saturate(1_000, 2);
        window.pushedBack(now += 200 * MS);
        int cut = window.limit();

        window.recovered();

        assertThat(window.limit()).isEqualTo(cut);
        saturate(cut, 2);
        assertThat(window.limit()).isEqualTo(2 * cut);
    }

    @Test
    void aSenderBeforeAFullWindowIsWokenForABatchAndNotForOnePlace() throws InterruptedException {
        int limit = window.take(1000, Duration.ZERO);
        CompletableFuture<Integer> taken = new CompletableFuture<>();
        Thread sender = new Thread(() -> taken.complete(takePatiently(1000)));
        sender.start();
        await("the sender waits").until(() -> sender.getState() == Thread.State.TIMED_WAITING);

        for (int i = 1; i < limit / 4; i++) {
            window.giveBack(1);
        }
        assertThat(taken).isNotDone();
        window.giveBack(1);
        assertThat(taken).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(limit / 4);
    }

    private int takePatiently(int wanted) {
        try {
            return window.take(wanted, Duration.ofSeconds(30));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void neverMoreThanItsLimitIsTaken() throws InterruptedException {
        int limit = window.limit();

        assertThat(window.take(1000, Duration.ZERO)).isEqualTo(limit);
        assertThat(window.take(1, Duration.ofMillis(5))).isZero();
        window.giveBack(limit);
        assertThat(window.take(3, Duration.ZERO)).isEqualTo(3);
    }

    private void answer(long latencyMs, long afterMs) throws InterruptedException {
        window.take(1, Duration.ZERO);
        window.confirmed(latencyMs * MS, now += afterMs * MS);
    }

    private void saturate(int answers, long latencyMs) throws InterruptedException {
        int inFlight = 0;
        for (int done = 0; done < answers; ) {
            inFlight += window.take(10_000, Duration.ZERO);
            for (; inFlight > 0; inFlight--, done++) {
                window.confirmed(latencyMs * MS, now += MS / 50);
            }
        }
    }

    @Test
    void whatSilentTopicsKeepTakesNoPlaceAtTheLargestWindowEither() throws InterruptedException {
        SendWindow largest = new SendWindow(64, 64, () -> 60);
        assertThat(largest.take(64, Duration.ZERO)).isEqualTo(64);

        assertThat(largest.take(100, Duration.ZERO)).isEqualTo(60);
        assertThat(largest.take(100, Duration.ZERO)).isZero();
    }
}
