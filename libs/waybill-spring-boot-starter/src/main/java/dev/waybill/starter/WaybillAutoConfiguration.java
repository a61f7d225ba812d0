package dev.waybill.starter;

import dev.waybill.jdbc.JdbcOutboxStore;
import dev.waybill.jdbc.archive.RowArchive;
import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.PayloadWriter;
import dev.waybill.outbox.Relay;
import dev.waybill.outbox.RelayListener;
import dev.waybill.outbox.Router;
import dev.waybill.retry.RetryRules;
import dev.waybill.starter.transaction.SpringTransactions;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Transactions;
import dev.waybill.transport.Transport;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.transaction.ConfigurableTransactionManager;
import tools.jackson.databind.json.JsonMapper;

/** Outbox and relay on the application's own DataSource and transactions. A bean of the application's is used instead of the one here. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration"
        })
@EnableConfigurationProperties(WaybillProperties.class)
public final class WaybillAutoConfiguration {

    @Bean
    OutboxDataSource waybillOutboxDataSource(
            ListableBeanFactory beans, WaybillProperties properties, ConfigurableEnvironment environment) {
        EventTypeKeyValidator.check(environment);
        return OutboxDataSource.choose(beans, properties.outbox().dataSource());
    }

    @Bean
    @ConditionalOnMissingBean(Transactions.class)
    SpringTransactions waybillTransactions(OutboxDataSource chosen) {
        return new SpringTransactions(chosen.dataSource());
    }

    /** Registers after all singletons exist, because a manager may itself depend on beans that publish. */
    @Bean
    SmartInitializingSingleton waybillTransactionListenerRegistration(
            ObjectProvider<SpringTransactions> transactions, ObjectProvider<ConfigurableTransactionManager> managers) {
        return () -> transactions.ifAvailable(joined -> managers.forEach(joined::watch));
    }

    @Bean
    @Lazy // an application with a store of its own has no use for it
    RelayDataSource waybillRelayDataSource(
            ListableBeanFactory beans, OutboxDataSource chosen, WaybillProperties properties) {
        return RelayDataSource.choose(beans, chosen.dataSource(), properties.relay());
    }

    @Bean
    @ConditionalOnMissingBean(OutboxStore.class)
    @DependsOnDatabaseInitialization
    JdbcOutboxStore waybillOutboxStore(
            OutboxDataSource chosen,
            RelayDataSource relay,
            WaybillProperties properties,
            ConfigurableEnvironment environment,
            ObjectProvider<RowArchive> archive) {
        String application = environment.getProperty("spring.application.name", "waybill");
        return OutboxStoreFactory.open(
                chosen.dataSource(), relay, properties.outbox(), application, archive.getIfAvailable());
    }

    @Bean
    @ConditionalOnMissingBean
    Router waybillRouter(WaybillProperties properties) {
        return RouterFactory.from(properties.routes(), properties.defaultRoute());
    }

    @Bean
    @ConditionalOnMissingBean
    RetryRules waybillRetryRules(WaybillProperties properties) {
        return RetryRulesFactory.from(properties.retry());
    }

    @Bean
    @ConditionalOnMissingBean
    Outbox waybillOutbox(
            OutboxStore store,
            Transactions transactions,
            Router router,
            ObjectProvider<Relay> relay,
            ObjectProvider<PayloadWriter> payloadWriter,
            ObjectProvider<EventTracing> tracing,
            ObjectProvider<Checkpoints> checkpoints,
            WaybillProperties properties) {
        Outbox.Builder outbox = Outbox.builder()
                .store(store)
                .transactions(transactions)
                .maxPayloadBytes(OutboxStoreFactory.maxPayloadBytes(properties.outbox()));
        relay.ifAvailable(outbox::relay);
        if (relay.getIfAvailable() != null || !(router instanceof PropertyRoutes routes) || !routes.isEmpty()) {
            outbox.router(router); // otherwise the process that relays knows the routes
        }
        payloadWriter.ifAvailable(outbox::payloadWriter);
        tracing.ifAvailable(traced -> outbox.interceptor(traced.publishing()));
        checkpoints.ifAvailable(outbox::checkpoints);
        return outbox.build();
    }

    @Bean(destroyMethod = "") // the lifecycle stops it, and the transport is a bean of its own
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "waybill.relay.enabled", matchIfMissing = true)
    Relay waybillRelay(
            OutboxStore store,
            Transport transport,
            Router router,
            RetryRules retries,
            ObjectProvider<RelayListener> listeners,
            ObjectProvider<EventTracing> tracing,
            ObjectProvider<Checkpoints> checkpoints,
            WaybillProperties properties) {
        EventTracing traced = tracing.getIfAvailable();
        return Relay.builder()
                .store(store)
                .transport(traced == null ? transport : traced.sending(transport))
                .router(router)
                .retries(retries)
                .bodyFormat(properties.relay().bodyFormat())
                .settings(RelaySettingsFactory.from(properties.relay()))
                .listener(new CompositeRelayListener(listeners))
                .checkpoints(checkpoints.getIfAvailable(() -> Checkpoints.NONE))
                .build();
    }

    @Bean
    StopBudget waybillStopBudget(WaybillProperties properties) {
        return new StopBudget(properties.stopDeadline());
    }

    @Bean
    RelayLifecycle waybillLifecycle(
            OutboxStore store,
            ObjectProvider<Relay> relay,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<ConsumerRole> consumers,
            StopBudget stopBudget) {
        return new RelayLifecycle(
                store,
                relay.getIfAvailable(),
                () -> consumers.stream().anyMatch(ConsumerRole::consumes) && !PublisherFinder.findsOne(beans),
                stopBudget);
    }

    /** Payload objects become JSON by the application's own JsonMapper. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JsonMapper.class)
    static class WithJackson {

        @Bean
        @ConditionalOnMissingBean(PayloadWriter.class)
        PayloadWriter waybillPayloadWriter(ObjectProvider<JsonMapper> mappers) {
            JsonMapper mapper = mappers.getIfUnique();
            return mapper == null ? PayloadWriter.TEXT_ONLY : new JacksonPayloadWriter(mapper);
        }
    }
}
