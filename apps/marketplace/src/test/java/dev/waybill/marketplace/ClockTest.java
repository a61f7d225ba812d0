package dev.waybill.marketplace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.marketplace.domain.OrderEventPublisher;
import dev.waybill.marketplace.domain.OrderService;
import dev.waybill.marketplace.running.RunningMarket;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.ServiceSettings;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The service's clock makes every time that it writes. */
class ClockTest {

    @Test
    void everyEventHappensAtTheServicesTime(@TempDir Path folder) {
        Clock longAgo = Clock.offset(Clock.systemUTC(), Duration.ofDays(-1000));
        String year = String.valueOf(longAgo.instant()).substring(0, 4);
        try (RunningMarket market = RunningMarket.start(
                ServiceSettings.embedded(folder).set("waybill.relay.enabled", "false"),
                beans -> beans.registerBean(Clock.class, () -> longAgo))) {
            HttpReply order = market.newOrder();
            market.move(order.id(), "pay");
            new TransactionTemplate(market.bean(PlatformTransactionManager.class))
                    .executeWithoutResult(status -> market.bean(OrderEventPublisher.class)
                            .timeoutAgain(market.bean(OrderService.class).find(order.id())));
            assertThat(order.text("createTime")).startsWith(year);
            assertThat(market.rows("SELECT payload FROM outbox_events"))
                    .hasSize(4)
                    .allSatisfy(row ->
                            assertThat(String.valueOf(row.get("payload"))).contains("\"occurredAt\":\"" + year));
        }
    }
}
