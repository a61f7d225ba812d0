package dev.waybill.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.servicetestkit.BearerTokens;
import dev.waybill.servicetestkit.ServiceSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a start refuses, by the name of the property, and what is not in the jar. */
class StartTest {

    @Test
    void realServersNeedAUserAndAPasswordThatSomebodyGave() {
        ServiceSettings settings = ServiceSettings.none()
                .set("spring.profiles.active", "real")
                .set(BearerTokens.SECRET_PROPERTY, BearerTokens.OF_TESTS.secret());
        assertThatThrownBy(() -> RunningInventory.start(settings)).hasStackTraceContaining("INVENTORY_DB_USER");
        settings.set("spring.datasource.username", "somebody");
        assertThatThrownBy(() -> RunningInventory.start(settings)).hasStackTraceContaining("INVENTORY_DB_PASSWORD");
    }

    @ParameterizedTest
    @CsvSource({
        "inventory.gate.redis.uri, localhost:6379",
        "inventory.gate.redis.timeout, 0s",
        "inventory.gate.lease, -1s",
        "inventory.reconcile.interval, 0s",
        "inventory.reconcile.overlap, 0s",
        "inventory.reconcile.batch, 0",
    })
    void aSettingThatCannotBeIsNamed(String property, String value, @TempDir Path data) {
        ServiceSettings settings = ServiceSettings.embedded(data).set(property, value);
        assertThatThrownBy(() -> RunningInventory.start(settings)).hasStackTraceContaining(property);
    }

    @Test
    void theServiceIsShippedWithoutMySqlsOwnDriver() throws Exception {
        List<String> dependency;
        try (Stream<String> lines = Files.lines(Path.of("pom.xml"))) {
            dependency = lines.dropWhile(line -> !line.contains("mysql-connector-j"))
                    .limit(2)
                    .toList();
        }
        assertThat(dependency).last().asString().contains("<scope>test</scope>");
    }
}
