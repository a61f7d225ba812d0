package dev.waybill.order;

import dev.waybill.order.domain.OrderCheckpoints;
import dev.waybill.order.domain.OrderEventPublisher;
import dev.waybill.order.domain.OrderNumbers;
import dev.waybill.order.domain.OrderPages;
import dev.waybill.order.domain.OrderRepository;
import dev.waybill.order.domain.OrderService;
import dev.waybill.order.domain.OrderTransitions;
import dev.waybill.order.domain.StockResultService;
import java.security.SecureRandom;
import java.time.Clock;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;

/** The domain's beans. A context that brings a clock, order numbers or checkpoints of its own has those used instead. */
@Configuration(proxyBeanMethods = false)
class OrderConfiguration {

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

    @Bean
    @ConditionalOnMissingBean
    OrderCheckpoints checkpoints() {
        return OrderCheckpoints.NONE;
    }

    @Bean
    OrderTransitions moves(OrderRepository orders, OrderEventPublisher publisher, Clock clock) {
        return new OrderTransitions(orders, publisher, clock);
    }

    @Bean
    OrderService orderService(
            OrderRepository orders,
            OrderTransitions transitions,
            OrderNumbers numbers,
            PlatformTransactionManager transactions,
            OrderCheckpoints checkpoints) {
        return new OrderService(orders, transitions, numbers, transactions, checkpoints);
    }

    @Bean
    OrderPages orderPages(OrderRepository orders) {
        return new OrderPages(orders);
    }

    @Bean
    StockResultService stockResultService(
            OrderRepository orders, OrderTransitions transitions, OrderCheckpoints checkpoints) {
        return new StockResultService(orders, transitions, checkpoints);
    }
}
