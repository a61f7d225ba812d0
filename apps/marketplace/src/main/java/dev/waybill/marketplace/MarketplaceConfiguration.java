package dev.waybill.marketplace;

import dev.waybill.marketplace.domain.CreditRepository;
import dev.waybill.marketplace.domain.OrderCancellation;
import dev.waybill.marketplace.domain.OrderEventPublisher;
import dev.waybill.marketplace.domain.OrderNumbers;
import dev.waybill.marketplace.domain.OrderPlacement;
import dev.waybill.marketplace.domain.OrderRepository;
import dev.waybill.marketplace.domain.OrderService;
import dev.waybill.marketplace.domain.OrderTimeoutJob;
import dev.waybill.marketplace.domain.OrderTimeoutService;
import dev.waybill.marketplace.domain.ProductRepository;
import dev.waybill.marketplace.domain.ProductService;
import dev.waybill.marketplace.domain.RetryingTransaction;
import dev.waybill.marketplace.domain.TimeoutSettings;
import java.security.SecureRandom;
import java.time.Clock;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.transaction.PlatformTransactionManager;

/** The domain's beans and the scheduler of the jobs. A context that brings a clock or order numbers of its own has those used instead. */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
class MarketplaceConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Clock clock() {
        return Clock.systemUTC();
    }

    @Bean
    @ConditionalOnMissingBean
    OrderNumbers orderNumbers(Clock clock) {
        return OrderNumbers.counting(clock, new SecureRandom());
    }

    /**
     * The jobs' scheduler. Two threads, so that declaring the topology, which waits for an absent broker, does not hold up the
     * closing of overdue orders. A stop lets a pass under way finish, then interrupts it.
     */
    @Bean
    ThreadPoolTaskScheduler taskScheduler() {
        ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
        scheduler.setPoolSize(2);
        scheduler.setThreadNamePrefix("marketplace-job-");
        scheduler.setDaemon(true);
        scheduler.setAwaitTerminationSeconds(10);
        return scheduler;
    }

    @Bean
    RetryingTransaction retryingTransaction(PlatformTransactionManager transactions) {
        return new RetryingTransaction(transactions);
    }

    @Bean
    OrderCancellation orderCancellation(ProductRepository products, CreditRepository credits) {
        return new OrderCancellation(products, credits);
    }

    @Bean
    ProductService productService(ProductRepository products, RetryingTransaction transaction, Clock clock) {
        return new ProductService(products, transaction, clock);
    }

    @Bean
    OrderPlacement orderPlacement(
            OrderRepository orders,
            ProductRepository products,
            CreditRepository credits,
            OrderEventPublisher publisher,
            OrderNumbers numbers) {
        return new OrderPlacement(orders, products, credits, publisher, numbers);
    }

    @Bean
    OrderService orderService(
            OrderRepository orders,
            OrderPlacement placement,
            OrderCancellation cancellation,
            OrderEventPublisher publisher,
            RetryingTransaction transaction,
            Clock clock) {
        return new OrderService(orders, placement, cancellation, publisher, transaction, clock);
    }

    @Bean
    OrderTimeoutService orderTimeoutService(
            OrderRepository orders,
            OrderCancellation cancellation,
            RetryingTransaction transaction,
            Clock clock,
            TimeoutSettings settings) {
        return new OrderTimeoutService(orders, cancellation, transaction, clock, settings.after());
    }

    @Bean
    OrderTimeoutJob orderTimeoutJob(OrderTimeoutService timeouts, TimeoutSettings settings) {
        return new OrderTimeoutJob(timeouts, settings.job());
    }
}
