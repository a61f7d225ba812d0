package dev.waybill.starter.admin;

import dev.waybill.inbox.DeadLetters;
import dev.waybill.jdbc.JdbcJobStore;
import dev.waybill.jdbc.archive.RowArchive;
import dev.waybill.starter.AdminProperties;
import dev.waybill.starter.OutboxDataSource;
import dev.waybill.starter.StartUpException;
import dev.waybill.starter.WaybillAutoConfiguration;
import dev.waybill.starter.WaybillProperties;
import dev.waybill.starter.inbox.InboxAutoConfiguration;
import dev.waybill.starter.inbox.InboxDataSource;
import dev.waybill.starter.inbox.InboxStoreFactory;
import dev.waybill.starter.inbox.InboxSubscriptions;
import dev.waybill.store.JobStore;
import dev.waybill.store.OutboxStore;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.handler.MappedInterceptor;

/** The admin API, where it is switched on and somebody can log in. A process without a web server has none. */
@AutoConfiguration(
        after = {WaybillAutoConfiguration.class, InboxAutoConfiguration.class},
        afterName = "dev.waybill.guard.boot.GuardAutoConfiguration")
@ConditionalOnProperty(AdminSecurityCheck.ENABLED)
@ConditionalOnWebApplication
public final class AdminAutoConfiguration {

    /** Without Spring Security nobody is known. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("org.springframework.security.web.FilterChainProxy")
    static class WithoutSecurity {

        @Bean
        SmartInitializingSingleton waybillAdminRefusal() {
            throw new StartUpException(
                    AdminSecurityCheck.ENABLED,
                    AdminSecurityCheck.ENABLED + "=true, and there is no Spring Security to know who asks.",
                    "Add spring-boot-starter-security or spring-boot-starter-security-oauth2-resource-server and"
                            + " configure it, or set " + AdminSecurityCheck.ENABLED + "=false.",
                    null);
        }
    }

    /** The API itself. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass({FilterChainProxy.class, DispatcherServlet.class})
    static class WithSecurity {

        @Bean
        AdminSecurityCheck waybillAdminSecurityCheck(ListableBeanFactory beans, Environment environment) {
            return new AdminSecurityCheck(beans, environment);
        }

        @Bean
        AdminAccess waybillAdminAccess(WaybillProperties properties) {
            AdminProperties admin = properties.admin();
            return new AdminAccess(AdminRoles.of(admin), new CallCounter(admin.callsPerMinute(), System::nanoTime));
        }

        /** Every handler mapping finds it by its type, also where the application sets Spring MVC up and asks no configurer. */
        @Bean
        MappedInterceptor waybillAdminInterceptor(AdminAccess access) {
            return new MappedInterceptor(null, access);
        }

        @Bean
        FilterRegistrationBean<FailedLoginFilter> waybillFailedLoginFilter(WaybillProperties properties) {
            FilterRegistrationBean<FailedLoginFilter> filter = new FilterRegistrationBean<>(
                    new FailedLoginFilter(new CallCounter(properties.admin().failuresPerMinute(), System::nanoTime)));
            filter.setOrder(FailedLoginFilter.ORDER);
            return filter;
        }

        @Bean
        AdminExceptionHandler waybillAdminExceptionHandler() {
            return new AdminExceptionHandler();
        }

        @Bean
        @ConditionalOnMissingBean(type = "dev.waybill.guard.boot.AnswerBodyAdvice")
        AdminAnswerAdvice waybillAdminAnswerAdvice() {
            return new AdminAnswerAdvice();
        }

        /** Looked up late: queues are declared only when the service starts, and not every process consumes. */
        @Bean
        ConsumedLetters waybillConsumedLetters(
                ObjectProvider<DeadLetters> letters, ObjectProvider<InboxSubscriptions> inbox) {
            return new ConsumedLetters(() -> {
                InboxSubscriptions subscriptions = inbox.getIfAvailable();
                return subscriptions != null && subscriptions.consumes() ? letters.getIfAvailable() : null;
            });
        }

        @Bean
        @ConditionalOnMissingBean(JobStore.class)
        @DependsOnDatabaseInitialization
        JdbcJobStore waybillJobStore(
                ObjectProvider<InboxDataSource> inbox,
                OutboxDataSource outbox,
                WaybillProperties properties,
                ObjectProvider<RowArchive> archive) {
            InboxDataSource chosen = inbox.getIfAvailable();
            return InboxStoreFactory.openJobs(
                    chosen == null ? outbox.dataSource() : chosen.dataSource(),
                    properties.inbox(),
                    archive.getIfAvailable());
        }

        @Bean
        JobLifecycle waybillJobLifecycle(
                JobStore store, ConsumedLetters letters, OutboxStore outbox, Environment environment) {
            return new JobLifecycle(store, scope(environment), letters, outbox);
        }

        private static String scope(Environment environment) {
            return environment.getProperty("spring.application.name", "waybill");
        }

        @Bean
        DeadEventController waybillDeadEventController(OutboxStore outbox, JobLifecycle jobs) {
            return new DeadEventController(new DeadEvents(outbox), jobs::jobs);
        }

        @Bean
        OpenApiController waybillAdminOpenApiController() {
            return new OpenApiController();
        }

        @Bean
        JobController waybillJobController(JobStore store, Environment environment) {
            return new JobController(store, scope(environment));
        }

        @Bean
        DeadLetterController waybillDeadLetterController(ConsumedLetters letters) {
            return new DeadLetterController(letters);
        }

        @Bean
        DeadLetterJobController waybillDeadLetterJobController(ConsumedLetters letters, JobLifecycle jobs) {
            return new DeadLetterJobController(letters, jobs::jobs);
        }
    }
}
