package dev.waybill.starter.admin;

import dev.waybill.message.DeadLetter;
import dev.waybill.servicetestkit.HttpCalls;
import dev.waybill.servicetestkit.RunningService;
import dev.waybill.servicetestkit.ServiceSettings;
import dev.waybill.starter.inbox.WaybillListener;
import dev.waybill.store.DeadLetterStore;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** An application with a listener, people who log in with passwords, and rules by path that leave every path open. */
final class AdminShop implements AutoCloseable {

    static final String API = AdminApi.PATH;
    static final String QUEUE = "ORDERS";
    static final String GROUP = "shop";

    /** What arrived at the listener. */
    public static class Arrived {

        final List<String> orders = new CopyOnWriteArrayList<>();

        @WaybillListener(topic = QUEUE, group = GROUP, types = "OrderCreated")
        public void take(String order) {
            orders.add(order);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Arrived arrived() {
            return new Arrived();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebSecurity
    static class Logins {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            return http.csrf(AbstractHttpConfigurer::disable)
                    .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("olga")
                            .password("{noop}secret")
                            .roles("WAYBILL_OPERATOR")
                            .build(),
                    User.withUsername("vera")
                            .password("{noop}secret")
                            .roles("WAYBILL_VIEWER")
                            .build(),
                    User.withUsername("nora")
                            .password("{noop}secret")
                            .roles("OPERATOR")
                            .build());
        }
    }

    private final RunningService service;

    AdminShop(String... settings) {
        this(Application.class, settings);
    }

    /** @param more what the application has beside the rest */
    AdminShop(Class<?> more, String... settings) {
        this.service = new RunningService(
                new SpringApplicationBuilder(Application.class, Logins.class, more),
                ServiceSettings.none()
                        .set("spring.datasource.url", "jdbc:h2:mem:" + UUID.randomUUID())
                        .set("waybill.broker", "memory")
                        .set("waybill.outbox.ddl", "apply")
                        .set("waybill.inbox.ddl", "apply")
                        .set("waybill.default-route.topic", QUEUE)
                        .set("waybill.admin.enabled", true)
                        .set("spring.main.banner-mode", "off")
                        .change(settings));
    }

    HttpCalls nobody() {
        return service;
    }

    HttpCalls operator() {
        return as("olga", "secret");
    }

    HttpCalls viewer() {
        return as("vera", "secret");
    }

    /** Somebody with a login and no role here. */
    HttpCalls stranger() {
        return as("nora", "secret");
    }

    /** Calls with a name and a password, and the header that a change needs. */
    HttpCalls as(String name, String password) {
        String basic =
                "Basic " + Base64.getEncoder().encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8));
        return new HttpCalls() {
            @Override
            public int port() {
                return service.port();
            }

            @Override
            public HttpRequest.Builder request(String path) {
                return service.request(path)
                        .setHeader("Authorization", basic)
                        .setHeader(CrossSiteCheck.OWN_HEADER, "1");
            }
        };
    }

    /** Saves a letter and returns its id. */
    long letter(String body, String error) {
        return letter(QUEUE, body.getBytes(StandardCharsets.UTF_8), error);
    }

    long letter(String source, byte[] body, String error) {
        String key = UUID.randomUUID().toString();
        service.bean(DeadLetterStore.class)
                .save(
                        new DeadLetter(key, source, GROUP, key, Map.of(), body, error),
                        UUID.randomUUID().toString(),
                        "OrderCreated");
        return service.count("SELECT id FROM waybill_dead_letter WHERE letter_key = ?", key);
    }

    Arrived arrived() {
        return service.bean(Arrived.class);
    }

    RunningService service() {
        return service;
    }

    @Override
    public void close() {
        service.close();
    }
}
