package dev.waybill.starter.inbox;

import dev.waybill.inbox.DeadLetterListener;
import dev.waybill.inbox.DeadLetters;
import dev.waybill.jdbc.JdbcDeadLetterStore;
import dev.waybill.jdbc.JdbcInboxStore;
import dev.waybill.jdbc.archive.RowArchive;
import dev.waybill.starter.InboxProperties;
import dev.waybill.starter.OutboxDataSource;
import dev.waybill.starter.RelayDataSource;
import dev.waybill.starter.StopBudget;
import dev.waybill.starter.WaybillAutoConfiguration;
import dev.waybill.starter.WaybillProperties;
import dev.waybill.starter.transaction.SpringTransactionRunner;
import dev.waybill.store.DeadLetterStore;
import dev.waybill.store.InboxStore;
import dev.waybill.store.TransactionRunner;
import dev.waybill.transport.Subscriptions;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import tools.jackson.databind.json.JsonMapper;

/**
 * The inbox behind {@link WaybillListener} methods. Its parts are lazy and made only when there is such a method: an application
 * that only publishes needs neither the inbox table nor a second connection to the broker.
 */
@AutoConfiguration(
        after = WaybillAutoConfiguration.class,
        afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnProperty(name = "waybill.inbox.enabled", matchIfMissing = true)
public final class InboxAutoConfiguration {

    @Bean
    @Lazy
    InboxDataSource waybillInboxDataSource(
            ListableBeanFactory beans, OutboxDataSource outbox, WaybillProperties properties) {
        String wanted = properties.inbox().dataSource();
        return new InboxDataSource(
                wanted == null || wanted.isBlank()
                        ? outbox.dataSource()
                        : OutboxDataSource.named(beans, "waybill.inbox.data-source", wanted));
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean(InboxStore.class)
    @DependsOnDatabaseInitialization
    JdbcInboxStore waybillInboxStore(
            InboxDataSource chosen,
            OutboxDataSource outbox,
            ObjectProvider<RelayDataSource> relay,
            WaybillProperties properties,
            ObjectProvider<RowArchive> archive) {
        DataSource inbox = chosen.dataSource();
        DataSource probed = inbox == outbox.dataSource() ? relay.getObject().dataSource() : inbox;
        return InboxStoreFactory.open(inbox, probed, properties.inbox(), archive.getIfAvailable());
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean(TransactionRunner.class)
    SpringTransactionRunner waybillInboxTransactions(
            ListableBeanFactory beans, InboxDataSource chosen, WaybillProperties properties) {
        return new InboxTransactionManagerResolver(beans, chosen.dataSource())
                .choose(properties.inbox().transactionManager());
    }

    @Bean
    InboxSubscriptions waybillInboxSubscriptions(
            ConfigurableListableBeanFactory beans, WaybillProperties properties, StopBudget stopBudget) {
        return new InboxSubscriptions(
                new ListenerMethodFinder(beans),
                properties.inbox(),
                () -> InboxFactory.of(beans, properties.inbox()),
                () -> openTables(beans, properties.inbox()),
                stopBudget);
    }

    /** Opening a store prints its statements, where the properties say so. */
    private static void openTables(ListableBeanFactory beans, InboxProperties properties) {
        beans.getBean(InboxStore.class);
        if (properties.collectDeadLetters()) {
            beans.getBean(DeadLetterStore.class);
        }
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean(DeadLetterStore.class)
    @DependsOnDatabaseInitialization
    JdbcDeadLetterStore waybillDeadLetterStore(
            InboxDataSource chosen, WaybillProperties properties, ObjectProvider<RowArchive> archive) {
        return InboxStoreFactory.openDeadLetters(chosen.dataSource(), properties.inbox(), archive.getIfAvailable());
    }

    /** The dead letters of every subscription of this process, for operators and for replays. */
    @Bean(destroyMethod = "") // DeadLetterCollectorLifecycle stops it
    @Lazy
    @ConditionalOnMissingBean
    DeadLetters waybillDeadLetters(
            DeadLetterStore letters,
            InboxStore store,
            Subscriptions broker,
            InboxSubscriptions subscriptions,
            ObjectProvider<DeadLetterListener> listeners,
            WaybillProperties properties) {
        DeadLetters.Builder builder = DeadLetters.builder(letters)
                .errors(store)
                .remembered(properties.inbox().retention())
                .listener(new CompositeDeadLetterListener(listeners));
        subscriptions.specs().forEach(spec -> builder.of(spec, broker));
        return builder.build();
    }

    @Bean
    @ConditionalOnProperty(name = "waybill.inbox.collect-dead-letters", matchIfMissing = true)
    DeadLetterCollectorLifecycle waybillDeadLetterCollectorLifecycle(
            InboxSubscriptions subscriptions, ObjectProvider<DeadLetters> letters, StopBudget stopBudget) {
        return new DeadLetterCollectorLifecycle(subscriptions, letters::getObject, stopBudget);
    }

    /** Payloads are read by the application's own JsonMapper. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JsonMapper.class)
    static class WithJackson {

        @Bean
        @ConditionalOnMissingBean(PayloadReader.class)
        @ConditionalOnSingleCandidate(JsonMapper.class)
        PayloadReader waybillPayloadReader(JsonMapper mapper) {
            return new JacksonPayloadReader(mapper);
        }
    }
}
