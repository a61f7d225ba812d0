package dev.waybill.servicetestkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ConcurrentCallsTest {

    @Test
    void allCallsRunAtTheSameTimeAndTheirResultsAreInOrder() {
        CyclicBarrier all = new CyclicBarrier(8);
        assertThat(ConcurrentCalls.run(8, number -> {
                    try {
                        all.await(30, TimeUnit.SECONDS);
                    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                        throw new IllegalStateException(e);
                    }
                    return number;
                }))
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void noMoreCallsThanThreadsRunAtOnce() {
        AtomicInteger running = new AtomicInteger();
        assertThat(ConcurrentCalls.run(50, 3, number -> {
                    int now = running.incrementAndGet();
                    Thread.onSpinWait();
                    running.decrementAndGet();
                    return now;
                }))
                .hasSize(50)
                .allMatch(now -> now <= 3);
    }

    @Test
    void aFailedCallFailsTheTestWithItsCause() {
        assertThatThrownBy(() -> ConcurrentCalls.run(2, number -> {
                    throw new IllegalStateException("call " + number);
                }))
                .isInstanceOf(AssertionError.class)
                .hasRootCauseMessage("call 0");
    }
}
