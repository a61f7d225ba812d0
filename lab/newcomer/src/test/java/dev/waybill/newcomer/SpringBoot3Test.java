package dev.waybill.newcomer;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application on the last line of Spring Boot before the one that Waybill is made for. */
class SpringBoot3Test {

    @Test
    void theStarterRefusesInOneSentenceThatNamesTheVersion(@TempDir Path folder) throws Exception {
        String version = System.getProperty("newcomer.old-spring-boot");
        try (URLClassLoader loader = NewcomerProject.create(
                                folder.resolve("shop"),
                                version,
                                List.of("waybill-spring-boot-starter", "waybill-memory", "com.h2database:h2"))
                        .source("Bare", "Application")
                        .configuration("spring", "consume")
                        .build(LocalRepository.in(folder.resolve("repository")));
                StartedApplication shop = new StartedApplication(loader, Stream.empty())) {
            assertThat(shop.isRunning()).isFalse();
            assertThat(shop.output())
                    .contains(
                            "APPLICATION FAILED TO START",
                            "Waybill needs Spring Boot 4 or newer, and this application has " + version,
                            "spring-boot-starter-parent")
                    .doesNotContain("Exception");
        }
    }
}
