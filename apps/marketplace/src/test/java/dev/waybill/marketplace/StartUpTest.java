package dev.waybill.marketplace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.marketplace.domain.TimeoutSettings;
import dev.waybill.marketplace.running.RunningMarket;
import dev.waybill.servicetestkit.BearerTokens;
import dev.waybill.servicetestkit.ServiceSettings;
import dev.waybill.starter.StartUpException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings that would break what is frozen stop the start-up, by name. */
class StartUpTest {

    private static final TimeoutSettings.Job JOB = new TimeoutSettings.Job(true, Duration.ofSeconds(30), 100);

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "spring.rabbitmq.publisher-confirm-type, simple",
        "spring.rabbitmq.publisher-confirm-type, none",
        "spring.rabbitmq.publisher-returns, false",
        "spring.rabbitmq.listener.simple.acknowledge-mode, auto",
        "spring.rabbitmq.listener.simple.acknowledge-mode, none",
        "spring.rabbitmq.listener.simple.default-requeue-rejected, true",
        "waybill.rabbitmq.uri, amqp://localhost"
    })
    void anotherValueThanTheFrozenOneIsRefusedByName(String property, String value) {
        ServiceSettings settings = ServiceSettings.embedded(folder).set(property, value);
        assertThatExceptionOfType(StartUpException.class)
                .isThrownBy(() -> RunningMarket.start(settings).close())
                .satisfies(refused -> assertThat(refused.property()).isEqualTo(property))
                .withMessageContaining(property);
    }

    /** What is missing is named by its variable, one after the other; nobody's default is tried. */
    @Test
    void realServersNeedUsersAndPasswordsThatSomebodyGave() {
        ServiceSettings settings = ServiceSettings.none()
                .set("spring.profiles.active", "real")
                .set(BearerTokens.SECRET_PROPERTY, BearerTokens.OF_TESTS.secret());
        Map<String, String> needed = new LinkedHashMap<>();
        needed.put("spring.datasource.username", "MARKETPLACE_DB_USER");
        needed.put("spring.datasource.password", "MARKETPLACE_DB_PASSWORD");
        needed.put("spring.rabbitmq.username", "RABBITMQ_USER");
        needed.put("spring.rabbitmq.password", "RABBITMQ_PASSWORD");
        needed.forEach((property, variable) -> {
            assertThatExceptionOfType(StartUpException.class)
                    .isThrownBy(() -> RunningMarket.start(settings).close())
                    .satisfies(refused -> assertThat(refused.property()).isEqualTo(property))
                    .withMessageContaining(variable);
            settings.set(property, "somebody");
        });
    }

    @Test
    void theTimeToPayIsInMinutesOrADuration() {
        assertThat(new TimeoutSettings(15, null, JOB).after()).isEqualTo(Duration.ofMinutes(15));
        assertThat(new TimeoutSettings(15, Duration.ofSeconds(90), JOB).after()).isEqualTo(Duration.ofSeconds(90));
        assertThatThrownBy(() -> new TimeoutSettings(0, null, JOB))
                .hasMessageContaining("order.timeout.pending-minutes");
        assertThatThrownBy(() -> new TimeoutSettings(15, Duration.ofDays(60), JOB))
                .hasMessageContaining("order.timeout.pending ");
    }
}
