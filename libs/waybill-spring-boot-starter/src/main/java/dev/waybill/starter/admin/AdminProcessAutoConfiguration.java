package dev.waybill.starter.admin;

import dev.waybill.jdbc.Ddl;
import dev.waybill.jdbc.Dialect;
import dev.waybill.jdbc.JdbcAuditReader;
import dev.waybill.jdbc.JdbcOutboxReader;
import dev.waybill.jdbc.JdbcOutboxStore;
import dev.waybill.jdbc.JdbcPauseStore;
import dev.waybill.starter.OutboxDataSource;
import dev.waybill.starter.WaybillAutoConfiguration;
import dev.waybill.starter.WaybillProperties;
import dev.waybill.store.AuditReader;
import dev.waybill.store.OutboxReader;
import dev.waybill.store.PauseStore;
import dev.waybill.store.StoreException;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Search, history, overview and pauses, wherever the admin API is. */
@AutoConfiguration(
        after = {WaybillAutoConfiguration.class, AdminAutoConfiguration.class},
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration")
@ConditionalOnBean(AdminAccess.class)
public final class AdminProcessAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(AdminProcessAutoConfiguration.class);

    /** On the business's connections: a search must not take the relay's. */
    @Bean
    @ConditionalOnBean(JdbcOutboxStore.class)
    @ConditionalOnMissingBean(OutboxReader.class)
    JdbcOutboxReader waybillOutboxReader(OutboxDataSource chosen, JdbcOutboxStore store) {
        return new JdbcOutboxReader(chosen.dataSource(), store.mapping(), store.source());
    }

    @Bean
    @ConditionalOnBean(JdbcOutboxStore.class)
    @ConditionalOnMissingBean(AuditReader.class)
    JdbcAuditReader waybillAuditReader(OutboxDataSource chosen, JdbcOutboxStore store) {
        return new JdbcAuditReader(chosen.dataSource(), store.mapping());
    }

    @Bean
    @ConditionalOnMissingBean(PauseStore.class)
    @DependsOnDatabaseInitialization
    JdbcPauseStore waybillPauseStore(OutboxDataSource chosen, WaybillProperties properties) {
        DataSource dataSource = chosen.dataSource();
        switch (properties.outbox().ddl()) {
            case APPLY -> Ddl.applyPauses(dataSource);
            case PRINT -> log.info("[Admin] print\n{}", print(dataSource));
            case NONE -> {}
        }
        return new JdbcPauseStore(dataSource);
    }

    private static String print(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            return Ddl.printPauses(Dialect.of(connection));
        } catch (SQLException e) {
            throw new StoreException(StoreException.Reason.UNAVAILABLE, "no connection to print the DDL for", e);
        }
    }

    @Bean
    ProcessParts waybillProcessParts(
            ListableBeanFactory beans,
            ObjectProvider<BrokerLag> lag,
            WaybillProperties properties,
            Environment environment) {
        String application = application(environment);
        String alertScope = properties.alerts().scope();
        return new ProcessParts(
                beans, application, alertScope == null ? application : alertScope, lag.getIfAvailable());
    }

    @Bean
    PauseWatcher waybillPauseWatcher(PauseStore store, ProcessParts parts, Environment environment) {
        return new PauseWatcher(store, application(environment), parts::pausable);
    }

    private static String application(Environment environment) {
        return environment.getProperty("spring.application.name", "waybill");
    }

    @Bean
    EventController waybillEventController(ObjectProvider<OutboxReader> readers, ObjectProvider<AuditReader> audits) {
        return new EventController(readers, audits);
    }

    @Bean
    ProcessController waybillProcessController(ProcessParts parts, PauseWatcher pauses) {
        return new ProcessController(parts, pauses);
    }

    /** Where something measures. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBean(MeterRegistry.class)
    static class WithMeters {

        @Bean
        BrokerLag waybillBrokerLag(MeterRegistry registry) {
            return new BrokerLag(registry);
        }
    }
}
