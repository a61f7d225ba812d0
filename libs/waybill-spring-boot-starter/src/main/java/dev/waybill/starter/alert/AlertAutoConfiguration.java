package dev.waybill.starter.alert;

import dev.waybill.alert.AlertMonitor;
import dev.waybill.alert.AlertProbe;
import dev.waybill.alert.AlertSink;
import dev.waybill.alert.DeadLetterProbe;
import dev.waybill.alert.DestinationProbe;
import dev.waybill.alert.FailedDeliveries;
import dev.waybill.alert.FailedSends;
import dev.waybill.alert.LogSink;
import dev.waybill.alert.Measures;
import dev.waybill.alert.OutboxProbe;
import dev.waybill.alert.WebhookSink;
import dev.waybill.jdbc.Ddl;
import dev.waybill.jdbc.Dialect;
import dev.waybill.jdbc.JdbcAlertStore;
import dev.waybill.outbox.Relay;
import dev.waybill.starter.AlertProperties;
import dev.waybill.starter.RelayDataSource;
import dev.waybill.starter.RelayLifecycle;
import dev.waybill.starter.StartUpException;
import dev.waybill.starter.WaybillAutoConfiguration;
import dev.waybill.starter.WaybillProperties;
import dev.waybill.starter.inbox.InboxAutoConfiguration;
import dev.waybill.starter.inbox.InboxSubscriptions;
import dev.waybill.store.AlertStore;
import dev.waybill.store.DeadLetterStore;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.StoreException;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Alerts of what this process uses: the outbox and its destinations where it relays, the dead letters where it collects them.
 * Beans of type {@link AlertProbe} and {@link AlertSink} are used too.
 */
@AutoConfiguration(
        after = {WaybillAutoConfiguration.class, InboxAutoConfiguration.class, BrokerBacklogAutoConfiguration.class})
@ConditionalOnBean(RelayLifecycle.class) // an application may leave the outbox out
@ConditionalOnProperty(name = "waybill.alerts.enabled")
public final class AlertAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(AlertAutoConfiguration.class);

    @Bean
    @ConditionalOnMissingBean(AlertStore.class)
    @DependsOnDatabaseInitialization
    JdbcAlertStore waybillAlertStore(RelayDataSource relay, WaybillProperties properties) {
        DataSource dataSource = relay.dataSource();
        switch (properties.outbox().ddl()) {
            case APPLY -> Ddl.applyAlerts(dataSource);
            case PRINT -> log.info("[AlertStore] print\n{}", print(dataSource));
            case NONE -> {}
        }
        return new JdbcAlertStore(dataSource);
    }

    private static String print(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            return Ddl.printAlerts(Dialect.of(connection));
        } catch (SQLException e) {
            throw new StoreException(StoreException.Reason.UNAVAILABLE, "no connection to print the DDL for", e);
        }
    }

    @Bean
    FailedSends waybillFailedSends() {
        return new FailedSends();
    }

    @Bean
    FailedDeliveries waybillFailedDeliveries() {
        return new FailedDeliveries();
    }

    @Bean
    AlertLifecycle waybillAlertLifecycle(
            ListableBeanFactory beans,
            AlertStore store,
            RelayLifecycle relay,
            ObjectProvider<InboxSubscriptions> inbox,
            WaybillProperties properties,
            Environment environment) {
        AlertProperties alerts = properties.alerts();
        String name =
                alerts.scope() == null ? environment.getProperty("spring.application.name", "waybill") : alerts.scope();
        return new AlertLifecycle(store, () -> {
            AlertMonitor.Builder monitor = builder(name, store, alerts)
                    .rules(AlertRulesFactory.from(alerts, measure -> isMeasured(measure, beans)))
                    .sink(new LogSink());
            Relay relaying = beans.getBeanProvider(Relay.class).getIfAvailable();
            if (relaying != null && !relay.isNeedless()) {
                monitor.probe(new OutboxProbe(beans.getBean(OutboxStore.class)));
                monitor.probe(new DestinationProbe(() -> relaying.stats().down()));
            }
            InboxSubscriptions subscriptions = inbox.getIfAvailable();
            if (subscriptions != null
                    && subscriptions.consumes()
                    && properties.inbox().collectDeadLetters()) {
                monitor.probe(new DeadLetterProbe(beans.getBean(DeadLetterStore.class)));
            }
            beans.getBeanProvider(AlertProbe.class).orderedStream().forEach(monitor::probe);
            beans.getBeanProvider(BrokerBacklog.class).forEach(backlog -> monitor.slowProbe(backlog.probe()));
            beans.getBeanProvider(AlertSink.class).orderedStream().forEach(monitor::sink);
            URI webhook = alerts.webhook();
            if (webhook != null) {
                monitor.sink(webhook(webhook, alerts));
            }
            return monitor.build();
        });
    }

    private static boolean isMeasured(String measure, ListableBeanFactory beans) {
        return Measures.ALL.contains(measure)
                || beans.getBeanProvider(AlertProbe.class).stream()
                        .map(AlertProbe::measures)
                        .anyMatch(own -> own.isEmpty() || own.contains(measure));
    }

    private static AlertMonitor.Builder builder(String name, AlertStore store, AlertProperties alerts) {
        try {
            return AlertMonitor.builder(name, store).interval(alerts.interval());
        } catch (IllegalArgumentException e) {
            throw refused("interval", e);
        }
    }

    private static WebhookSink webhook(URI address, AlertProperties alerts) {
        try {
            return new WebhookSink(address, alerts.webhookFormat(), alerts.webhookTimeout());
        } catch (IllegalArgumentException e) {
            throw refused("webhook", e);
        }
    }

    private static StartUpException refused(String name, IllegalArgumentException e) {
        String property = "waybill.alerts." + name;
        return new StartUpException(
                property, property + " cannot be used: " + e.getMessage() + ".", "Change " + property + ".", e);
    }
}
