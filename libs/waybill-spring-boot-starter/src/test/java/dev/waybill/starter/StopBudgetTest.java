package dev.waybill.starter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.starter.broker.BrokerAutoConfiguration;
import dev.waybill.starter.inbox.InboxAutoConfiguration;
import dev.waybill.starter.inbox.WaybillListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** One deadline for the stop of everything. */
@Timeout(60)
class StopBudgetTest {

    @Test
    void partsThatReceiveStopTogetherAndTheRelayGetsWhatIsLeft() {
        StopBudget budget = new StopBudget(Duration.ofSeconds(5));
        Stubborn one = new Stubborn();
        Stubborn two = new Stubborn();
        Stubborn relay = new Stubborn();

        assertThat(budget.stopReceiving(List.of(one, two))).isFalse();
        assertThat(budget.stopSending(relay)).isFalse();

        assertThat(one.given)
                .hasSize(1)
                .allSatisfy(given -> assertThat(given).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(4)));
        assertThat(two.given).isEqualTo(one.given);
        assertThat(relay.given).hasSize(1).allSatisfy(given -> assertThat(given).isEqualTo(Duration.ofSeconds(1)));
    }

    @Test
    void whatTheOthersDidNotUseIsTheRelaysAndTheNextStopHasTheWholeTimeAgain() {
        StopBudget budget = new StopBudget(Duration.ofMinutes(1));
        Stubborn relay = new Stubborn();
        assertThat(budget.stopReceiving(List.of())).isTrue();
        relay.released.countDown();

        assertThat(budget.stopSending(relay)).isTrue();
        budget.reset();
        assertThat(budget.stopSending(relay)).isTrue();

        assertThat(relay.given)
                .hasSize(2)
                .allSatisfy(given -> assertThat(given).isBetween(Duration.ofSeconds(45), Duration.ofMinutes(1)));
    }

    /** A handler that nothing ends: the stop takes its budget once and not once for each part. */
    @Test
    void aStuckHandlerCostsTheBudgetOnce() {
        Stuck stuck = new Stuck();
        long[] stopping = new long[1];
        try {
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(
                            DataSourceAutoConfiguration.class,
                            DataSourceTransactionManagerAutoConfiguration.class,
                            BrokerAutoConfiguration.class,
                            WaybillAutoConfiguration.class,
                            InboxAutoConfiguration.class))
                    .withPropertyValues(
                            "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
                            "waybill.broker=memory",
                            "waybill.outbox.ddl=apply",
                            "waybill.inbox.ddl=apply",
                            "waybill.stop-deadline=2s")
                    .withBean(Stuck.class, () -> stuck)
                    .run(context -> {
                        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                                .executeWithoutResult(status -> context.getBean(Outbox.class)
                                        .publish(Event.builder("OrderCreated")
                                                .destination(Destination.of("ORDERS"))
                                                .build()));
                        assertThat(stuck.entered.await(30, TimeUnit.SECONDS)).isTrue();
                        stopping[0] = System.nanoTime();
                    });
            assertThat(Duration.ofNanos(System.nanoTime() - stopping[0])).isLessThan(Duration.ofSeconds(15));
        } finally {
            stuck.released.countDown();
        }
    }

    static class Stuck {

        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch released = new CountDownLatch(1);

        @WaybillListener(topic = "ORDERS", group = "stuck", types = "OrderCreated")
        public void on(Event event) {
            entered.countDown();
            boolean interrupted = false;
            while (released.getCount() > 0) {
                try {
                    released.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static final class Stubborn implements Lifecycle {

        final List<Duration> given = Collections.synchronizedList(new ArrayList<>());
        final CountDownLatch released = new CountDownLatch(1);

        @Override
        public void start() {}

        @Override
        public boolean stop(Duration deadline) {
            given.add(deadline);
            try {
                return released.await(deadline.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        @Override
        public boolean isRunning() {
            return true;
        }
    }
}
