package dev.waybill.starter.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.transport.DeadLetterQueue;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.Subscriptions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A broker whose subscriptions refuse to stop at first: what a person has paused is paused in the end, and not said to be before. */
class FailedPauseTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Throws at the first stop. */
    record Stubborn(Lifecycle subscription, AtomicInteger stops) implements Lifecycle {

        @Override
        public void start() {
            subscription.start();
        }

        @Override
        public boolean stop(Duration deadline) {
            if (stops.incrementAndGet() == 1) {
                throw new IllegalStateException("the channel is busy");
            }
            return subscription.stop(deadline);
        }

        @Override
        public boolean isRunning() {
            return subscription.isRunning();
        }
    }

    record StubbornSubscriptions(Subscriptions broker, AtomicInteger stops) implements Subscriptions {

        @Override
        public String name() {
            return broker.name();
        }

        @Override
        public Lifecycle subscribe(SubscriptionSpec spec, Receiver receiver) {
            return new Stubborn(broker.subscribe(spec, receiver), stops);
        }

        @Override
        public DeadLetterQueue deadLetters(SubscriptionSpec spec) {
            return broker.deadLetters(spec);
        }

        @Override
        public void close() {
            broker.close();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class StubbornBroker {

        @Bean
        static AtomicInteger stops() {
            return new AtomicInteger();
        }

        @Bean
        static BeanPostProcessor stubborn(AtomicInteger stops) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    return bean instanceof Subscriptions broker ? new StubbornSubscriptions(broker, stops) : bean;
                }
            };
        }
    }

    @Test
    void aPauseThatFailedIsTriedAgain() {
        try (AdminShop shop = new AdminShop(StubbornBroker.class)) {
            String consumer = "{\"source\":\"" + AdminShop.QUEUE + "\",\"group\":\"" + AdminShop.GROUP
                    + "\",\"reason\":\"a bad release\"}";
            assertThat(shop.operator()
                            .post(AdminApi.PATH + "/consumers/pause", consumer)
                            .status())
                    .isEqualTo(200);
            AtomicInteger stops = shop.service().bean(AtomicInteger.class);
            await().atMost(PATIENCE).until(() -> stops.get() >= 2);
            await().atMost(PATIENCE).until(() -> !receiving(shop));
            assertThat(shop.operator()
                            .post(AdminApi.PATH + "/consumers/resume", consumer)
                            .status())
                    .isEqualTo(200);
            await().atMost(PATIENCE).until(() -> receiving(shop));
        }
    }

    private static boolean receiving(AdminShop shop) {
        return shop.viewer()
                .get(AdminApi.PATH + "/consumers")
                .data()
                .get(0)
                .path("receiving")
                .asBoolean();
    }
}
