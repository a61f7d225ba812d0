package dev.waybill.servicekit;

import dev.waybill.guard.idempotent.Idempotent;
import dev.waybill.outbox.PublishException;
import dev.waybill.servicetestkit.BearerTokens;
import dev.waybill.servicetestkit.RunningService;
import dev.waybill.servicetestkit.ServiceSettings;
import dev.waybill.store.StoreException;
import java.util.UUID;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpMethod;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authorization.method.HandleAuthorizationDenied;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** A service that has nothing but the kit: one path for each kind of right. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({KitService.Paths.class, RacingDeeds.class})
public class KitService {

    public static final BearerTokens TOKENS = BearerTokens.OF_TESTS;

    public record NewOrder(long userId, String sku) {}

    @RestController
    static class Paths {

        @GetMapping("/who")
        Caller who(Caller caller) {
            return caller;
        }

        @GetMapping("/public")
        Caller open(Caller caller) {
            return caller;
        }

        @PostMapping("/operators")
        String operators() {
            return "ran";
        }

        @PostMapping("/users")
        String users() {
            return "ran";
        }

        @PostMapping("/orders")
        @PreAuthorize("#caller.is(#order.userId)")
        @Idempotent(prefix = "kit:order", fingerprint = "#order")
        public String order(@RequestBody NewOrder order, Caller caller) {
            return order.sku() + " " + UUID.randomUUID();
        }

        @PostMapping("/orders/{owner}/cancel")
        @PreAuthorize("#caller.maySee(#owner)")
        @HandleAuthorizationDenied(handlerClass = AnsweredLikeUnknown.class)
        @Idempotent(prefix = "kit:cancel", fingerprint = "#owner")
        public String cancel(@PathVariable long owner, Caller caller) {
            return "canceled " + UUID.randomUUID();
        }

        @PostMapping("/mine/{user}")
        String mine(@PathVariable long user, Caller caller) {
            caller.mustBe(user);
            return "ran";
        }

        @GetMapping("/store/{reason}")
        String store(@PathVariable StoreException.Reason reason) {
            throw new StoreException(reason, "jdbc:secret", null);
        }

        @GetMapping("/publish")
        String publish() {
            throw new PublishException(PublishException.Reason.NO_DESTINATION, "secret", null);
        }
    }

    @Bean
    AccessRules rules() {
        return requests -> requests.requestMatchers("/public")
                .permitAll()
                .requestMatchers(HttpMethod.POST, "/operators")
                .hasRole(Roles.OPERATOR)
                .requestMatchers(HttpMethod.POST, "/users")
                .access(Roles.usersOnly());
    }

    /** Its settings in a test; a database of its own in memory. */
    public static ServiceSettings settings() {
        return ServiceSettings.none()
                .set("spring.datasource.url", "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1")
                .set("spring.main.banner-mode", "off")
                .set("waybill.broker", "memory");
    }

    /** With tokens of {@link #TOKENS}, unless more is said. */
    public static RunningService withTokens(String... more) {
        return start(
                settings().set(BearerTokens.SECRET_PROPERTY, TOKENS.secret()).change(more));
    }

    /** Open, unless more is said. */
    public static RunningService open(String... more) {
        return start(settings().change(more));
    }

    public static RunningService start(ServiceSettings settings) {
        return new RunningService(application(), settings);
    }

    public static SpringApplicationBuilder application() {
        return new SpringApplicationBuilder(KitService.class).properties("spring.config.name=kit-service");
    }
}
