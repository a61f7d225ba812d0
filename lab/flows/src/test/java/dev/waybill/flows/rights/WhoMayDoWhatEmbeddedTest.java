package dev.waybill.flows.rights;

import dev.waybill.servicetestkit.BearerTokens;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On embedded parts, with a secret. */
class WhoMayDoWhatEmbeddedTest extends WhoMayDoWhat {

    private static ThreeServices services;

    @BeforeAll
    static void start(@TempDir Path folder) {
        services = ThreeServices.embedded(folder, BearerTokens.SECRET_PROPERTY + "=" + BearerTokens.OF_TESTS.secret());
    }

    @AfterAll
    static void stop() {
        services.close();
    }

    @Override
    ThreeServices services() {
        return services;
    }
}
