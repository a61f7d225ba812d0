package dev.waybill.starter.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.memory.MemoryBroker;
import dev.waybill.servicetestkit.CapturedLog;
import dev.waybill.transport.Transport;
import java.nio.file.Path;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The broker inside the process: who says that it stays inside, and who has its file. */
class MemoryConfigurationTest {

    private static final String APART = "do not hear each other";

    private final ApplicationContextRunner service = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(BrokerAutoConfiguration.class))
            .withPropertyValues("waybill.broker=memory");

    @Test
    void aServiceOnItsOwnSaysInOneLineThatOthersDoNotHearIt() {
        try (CapturedLog log = new CapturedLog()) {
            service.run(context -> assertThat(context).hasSingleBean(Transport.class));
            assertThat(log.lines())
                    .filteredOn(line -> line.contains(APART))
                    .singleElement()
                    .asString()
                    .contains("./dev run", "spring.profiles.active=real");
        }
    }

    @Test
    void servicesThatShareABrokerDoNot() {
        try (CapturedLog log = new CapturedLog()) {
            service.withBean(MemoryBroker.class, MemoryBroker::new)
                    .run(context -> assertThat(context).hasSingleBean(Transport.class));
            assertThat(log.lines()).noneMatch(line -> line.contains(APART));
        }
    }

    @Test
    void aFileThatAnotherBrokerHasStopsTheStartAndNamesTheProperty(@TempDir Path folder) {
        Path file = folder.resolve("messages");
        ApplicationContextRunner kept = service.withPropertyValues("waybill.memory.file=" + file);
        try (MemoryBroker other = MemoryBroker.keptIn(file)) {
            assertThat(other).isNotNull();
            kept.run(context -> assertThat(Throwables.getRootCause(context.getStartupFailure()))
                    .satisfies(root -> assertThat(root).hasMessageContaining("is in use by another process")));
        }
        kept.run(context -> assertThat(context).hasNotFailed());
        kept.run(
                context -> assertThat(context).as("the stop gave the file back").hasNotFailed());
    }
}
