package dev.waybill.order;

import dev.waybill.order.domain.Moves;
import dev.waybill.order.domain.OrderBook;
import dev.waybill.order.domain.OrderDesk;
import dev.waybill.order.domain.OrderEvents;
import dev.waybill.order.domain.OrderNumbers;
import dev.waybill.order.domain.OrderPages;
import dev.waybill.order.domain.Steps;
import dev.waybill.order.domain.StockAnswers;
import java.security.SecureRandom;
import java.time.Clock;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;

/** The domain's parts. Clock, numbers and steps give way to those that a context brings itself. */
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
    Steps steps() {
        return Steps.NONE;
    }

    @Bean
    Moves moves(OrderBook book, OrderEvents events, Clock clock) {
        return new Moves(book, events, clock);
    }

    @Bean
    OrderDesk orderDesk(
            OrderBook book, Moves moves, OrderNumbers numbers, PlatformTransactionManager transactions, Steps steps) {
        return new OrderDesk(book, moves, numbers, transactions, steps);
    }

    @Bean
    OrderPages orderPages(OrderBook book) {
        return new OrderPages(book);
    }

    @Bean
    StockAnswers stockAnswers(OrderBook book, Moves moves, Steps steps) {
        return new StockAnswers(book, moves, steps);
    }
}
