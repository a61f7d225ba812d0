package dev.waybill.starter.observability;

import dev.waybill.outbox.Relay;
import dev.waybill.starter.RelayLifecycle;
import dev.waybill.starter.WaybillAutoConfiguration;
import dev.waybill.starter.WaybillProperties;
import dev.waybill.starter.inbox.InboxAutoConfiguration;
import dev.waybill.starter.inbox.InboxSubscriptions;
import dev.waybill.starter.retention.RetentionAutoConfiguration;
import dev.waybill.store.DeadLetterStore;
import dev.waybill.store.OutboxStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** What the tables hold and what is deleted from them, where the application has a MeterRegistry. */
@AutoConfiguration(
        after = {WaybillAutoConfiguration.class, InboxAutoConfiguration.class, RetentionAutoConfiguration.class},
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({RelayLifecycle.class, MeterRegistry.class})
public final class TableMetricsAutoConfiguration {

    @Bean
    RetentionMetrics waybillRetentionMetrics(MeterRegistry registry) {
        return new RetentionMetrics(registry);
    }

    /** Looks at the tables that this process uses: the outbox where it relays, the letters where it collects them. */
    @Bean
    MetricsRefresh waybillTableMetrics(
            MeterRegistry registry,
            ListableBeanFactory beans,
            RelayLifecycle relay,
            ObjectProvider<InboxSubscriptions> inbox,
            WaybillProperties properties) {
        Duration interval = properties.metrics().checkedRefresh();
        return new MetricsRefresh("tables", interval, () -> {
            List<BackgroundReading<?>> readings = new ArrayList<>();
            if (beans.getBeanProvider(Relay.class).getIfAvailable() != null && !relay.isNeedless()) {
                readings.add(TableGauges.ofOutbox(beans.getBean(OutboxStore.class), registry));
            }
            InboxSubscriptions subscriptions = inbox.getIfAvailable();
            if (subscriptions != null
                    && subscriptions.consumes()
                    && properties.inbox().collectDeadLetters()) {
                readings.add(TableGauges.ofLetters(beans.getBean(DeadLetterStore.class), registry));
            }
            return readings;
        });
    }
}
