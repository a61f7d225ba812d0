package dev.waybill.starter.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.servicetestkit.RunningService;
import dev.waybill.servicetestkit.ServiceSettings;
import dev.waybill.starter.StartUpException;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** When there is an admin API, and when an application that wants one does not start. */
class AdminStartTest {

    @Configuration(proxyBeanMethods = false)
    @EnableWebSecurity
    static class ChainWithoutLogin {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebSecurity
    static class LoginElsewhere {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            return http.securityMatcher("/shop/**")
                    .httpBasic(basic -> basic.realmName("shop"))
                    .build();
        }
    }

    /** Named as Spring Boot names it. */
    @Configuration(proxyBeanMethods = false)
    static class BootsUser {

        @Bean
        InMemoryUserDetailsManager inMemoryUserDetailsManager() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("user").password("{noop}drawn").build());
        }
    }

    private static RunningService start(String enabled, Class<?>... sources) {
        SpringApplicationBuilder application = new SpringApplicationBuilder(AdminShop.Application.class);
        application.sources(sources);
        return new RunningService(
                application,
                ServiceSettings.none()
                        .set("spring.datasource.url", "jdbc:h2:mem:" + UUID.randomUUID())
                        .set("waybill.broker", "memory")
                        .set("waybill.outbox.ddl", "apply")
                        .set("waybill.inbox.ddl", "apply")
                        .set("waybill.default-route.topic", "ORDERS")
                        .set("waybill.admin.enabled", enabled)
                        .set("spring.main.banner-mode", "off"));
    }

    @Test
    void switchedOffThereIsNone() {
        try (RunningService service = start("false", AdminShop.Logins.class)) {
            assertThat(service.statusCode(AdminApi.PATH + "/dead-letters")).isEqualTo(404);
        }
    }

    @Test
    void withoutALoginItDoesNotStart() {
        for (Class<?> chain : new Class<?>[] {ChainWithoutLogin.class, LoginElsewhere.class}) {
            assertThatThrownBy(() -> start("true", chain))
                    .isInstanceOf(StartUpException.class)
                    .hasMessageContaining("waybill.admin.enabled")
                    .hasMessageContaining("login");
        }
        assertThatThrownBy(() -> start("true"))
                .isInstanceOf(StartUpException.class)
                .hasMessageContaining("login");
    }

    @Test
    void withoutSpringSecurityItDoesNotStart() {
        new WebApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader("org.springframework.security"))
                .withConfiguration(AutoConfigurations.of(AdminAutoConfiguration.class))
                .withPropertyValues("waybill.admin.enabled=true")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(StartUpException.class)
                        .hasMessageContaining("waybill.admin.enabled")
                        .hasMessageContaining("spring-boot-starter-security"));
    }

    @Test
    void withAPasswordThatNobodyGaveItDoesNotStart() {
        assertThatThrownBy(() -> start("true", AdminShop.Logins.class, BootsUser.class))
                .isInstanceOf(StartUpException.class)
                .hasMessageContaining("spring.security.user.password");
    }
}
