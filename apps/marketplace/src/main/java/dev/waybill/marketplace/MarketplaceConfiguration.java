package dev.waybill.marketplace;

import dev.waybill.marketplace.domain.Cancelling;
import dev.waybill.marketplace.domain.CreditBook;
import dev.waybill.marketplace.domain.OrderBook;
import dev.waybill.marketplace.domain.OrderDesk;
import dev.waybill.marketplace.domain.OrderEvents;
import dev.waybill.marketplace.domain.OrderNumbers;
import dev.waybill.marketplace.domain.OrderTimeoutJob;
import dev.waybill.marketplace.domain.Shelf;
import dev.waybill.marketplace.domain.TimeoutSettings;
import dev.waybill.marketplace.domain.Timeouts;
import dev.waybill.marketplace.domain.Trade;
import dev.waybill.marketplace.domain.UnitOfWork;
import java.security.SecureRandom;
import java.time.Clock;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;

/** The domain's parts. Clock and numbers give way to those that a context brings itself. */
@Configuration(proxyBeanMethods = false)
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

    @Bean
    UnitOfWork unitOfWork(PlatformTransactionManager transactions) {
        return new UnitOfWork(transactions);
    }

    @Bean
    Cancelling cancelling(Shelf shelf, CreditBook credits) {
        return new Cancelling(shelf, credits);
    }

    @Bean
    Trade trade(Shelf shelf, CreditBook credits, UnitOfWork work, Clock clock) {
        return new Trade(shelf, credits, work, clock);
    }

    @Bean
    OrderDesk orderDesk(
            OrderBook book,
            Shelf shelf,
            CreditBook credits,
            OrderEvents events,
            OrderNumbers numbers,
            Cancelling cancelling,
            UnitOfWork work,
            Clock clock) {
        return new OrderDesk(new OrderDesk.Parts(book, shelf, credits, events, numbers, cancelling, work, clock));
    }

    @Bean
    Timeouts timeouts(OrderBook book, Cancelling cancelling, UnitOfWork work, Clock clock, TimeoutSettings settings) {
        return new Timeouts(book, cancelling, work, clock, settings.after());
    }

    @Bean
    OrderTimeoutJob orderTimeoutJob(Timeouts timeouts, TimeoutSettings settings) {
        return new OrderTimeoutJob(timeouts, settings.job());
    }
}
