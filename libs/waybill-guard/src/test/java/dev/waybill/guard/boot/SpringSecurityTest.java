package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.waybill.guard.idempotent.Idempotent;
import dev.waybill.guard.running.HttpReply;
import dev.waybill.guard.running.Service;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** A service with Spring Security, by URL and by method, as its own documentation sets it up. */
class SpringSecurityTest {

    /** Rights that can be taken away between two requests. */
    static class Rights {
        private final AtomicBoolean granted = new AtomicBoolean(true);

        public boolean areGranted() {
            return granted.get();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    static class Security {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.csrf(csrf -> csrf.disable())
                    .authorizeHttpRequests(requests -> requests.requestMatchers("/open/**")
                            .permitAll()
                            .requestMatchers("/staff")
                            .hasRole("STAFF")
                            .anyRequest()
                            .authenticated())
                    .httpBasic(withDefaults())
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("alice")
                            .password("{noop}a")
                            .roles("CLERK")
                            .build(),
                    User.withUsername("bob").password("{noop}b").roles("CLERK").build(),
                    User.withUsername("eve").password("{noop}e").roles("GUEST").build());
        }

        @Bean
        Rights rights() {
            return new Rights();
        }
    }

    @ResponseStatus(HttpStatus.CONFLICT)
    static class SoldOutException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @RestController
    static class Desk {

        @PostMapping("/orders")
        @PreAuthorize("hasRole('CLERK') and @rights.areGranted()")
        @Idempotent(prefix = "test:secured")
        String order(@RequestParam String sku) {
            return sku + " " + UUID.randomUUID();
        }

        @GetMapping("/staff")
        String staff() {
            return "ran";
        }

        @GetMapping("/open/clerks")
        @PreAuthorize("hasRole('CLERK')")
        String clerks() {
            return "ran";
        }

        @GetMapping("/sold-out")
        String soldOut() {
            throw new SoldOutException();
        }

        @GetMapping("/locked")
        String locked() {
            throw new ResponseStatusException(HttpStatus.LOCKED);
        }
    }

    @RestController
    static class JudgedAfterwards {

        @PostMapping("/judged")
        @PostAuthorize("returnObject == 'mine'")
        @Idempotent
        String judged() {
            return "mine";
        }
    }

    private static Service service;

    @BeforeAll
    static void start() {
        service = Service.with(List.of(Service.Secured.class, Security.class, Desk.class));
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static String[] as(String user) {
        String pair = user + ":" + user.charAt(0);
        return new String[] {
            "Authorization", "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8))
        };
    }

    private static HttpReply order(String user, String key) {
        String[] credentials = as(user);
        return service.post("/orders?sku=tea", "", "X-Idempotency-Key", key, credentials[0], credentials[1]);
    }

    private static void assertAnswer(HttpReply reply, int status, String code) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.code()).isEqualTo(code);
        assertThat(reply.message()).isNotEmpty();
        assertThat(reply.traceId()).isEqualTo(reply.header("X-Trace-Id"));
    }

    @Test
    void whoeverIsUnknownGets401AndTheChallenge() {
        for (HttpReply reply : List.of(
                service.get("/staff"),
                service.get("/open/clerks"),
                service.get("/staff", as("mallory")),
                service.post("/orders?sku=tea", "", "X-Idempotency-Key", "unknown"))) {
            assertAnswer(reply, 401, "A0230");
            assertThat(reply.header("WWW-Authenticate")).startsWith("Basic");
        }
    }

    @Test
    void whoeverMayNotGets403ByUrlAndByMethod() {
        assertAnswer(service.get("/staff", as("alice")), 403, "A0301");
        assertAnswer(service.get("/open/clerks", as("eve")), 403, "A0301");
        assertAnswer(order("eve", UUID.randomUUID().toString()), 403, "A0301");
        assertThat(service.get("/open/clerks", as("bob")).status()).isEqualTo(200);
    }

    @Test
    void exceptionsKeepTheStatusThatTheyDeclare() {
        assertAnswer(service.get("/sold-out", as("alice")), 409, "STATE_INVALID");
        assertAnswer(service.get("/locked", as("alice")), 423, "A0400");
    }

    @Test
    void whatTheFirewallRejectsOnlyWhenItIsReadIsTheCallersMistake() {
        String[] credentials = as("alice");
        assertAnswer(
                service.post(
                        "/orders?sku=tea&%01=1", "", "X-Idempotency-Key", "odd-name", credentials[0], credentials[1]),
                400,
                "A0400");
    }

    @Test
    void aStoredAnswerIsForItsOwnCallerOnly() {
        String key = UUID.randomUUID().toString();
        HttpReply first = order("alice", key);
        assertAnswer(first, 200, "00000");
        assertThat(order("alice", key).rawData()).isEqualTo(first.rawData());
        assertAnswer(order("bob", key), 422, "A0402");
        assertAnswer(order("eve", key), 403, "A0301");
    }

    @Test
    void rightsAreAskedForBeforeAStoredAnswerIsGiven() {
        String key = UUID.randomUUID().toString();
        HttpReply first = order("alice", key);
        Rights rights = service.bean(Rights.class);
        rights.granted.set(false);
        try {
            assertAnswer(order("alice", key), 403, "A0301");
        } finally {
            rights.granted.set(true);
        }
        assertThat(order("alice", key).rawData()).isEqualTo(first.rawData());
    }

    @Test
    void rightsThatWouldBeAskedForTooLateStopTheStartUp() {
        assertThatThrownBy(() -> Service.with(List.of(Service.Secured.class, Security.class, JudgedAfterwards.class))
                        .close())
                .hasStackTraceContaining("would not be asked for a repeat");
    }
}
