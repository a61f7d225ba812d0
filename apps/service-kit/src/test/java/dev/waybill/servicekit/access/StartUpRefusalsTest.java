package dev.waybill.servicekit.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.waybill.servicekit.KitService;
import dev.waybill.servicetestkit.BearerTokens;
import dev.waybill.servicetestkit.RunningService;
import dev.waybill.servicetestkit.ServiceSettings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A service that would be open to others does not start, and says which property mends it. */
@ExtendWith(OutputCaptureExtension.class)
class StartUpRefusalsTest {

    private static final String SECRET = "waybill.security.jwt-secret";
    private static final String ISSUER = "spring.security.oauth2.resourceserver.jwt.issuer-uri";

    /** Without the test's own address, so that the default counts. */
    private static void assertRefused(CapturedOutput log, List<String> named, String... settings) {
        List<String> arguments = new ArrayList<>(List.of("--server.port=0"));
        arguments.addAll(List.of(KitService.settings().change(settings).arguments()));
        Throwable thrown = catchThrowable(() ->
                KitService.application().run(arguments.toArray(String[]::new)).close());
        assertThat(thrown).isNotNull();
        assertThat(log.getAll()).contains("APPLICATION FAILED TO START").contains(named);
    }

    @Test
    void realWithoutASecretOrAnIssuer(CapturedOutput log) {
        assertRefused(log, List.of(SECRET, ISSUER), "spring.profiles.active=real");
    }

    @Test
    void realWithABlankSecret(CapturedOutput log) {
        assertRefused(log, List.of(SECRET, ISSUER), "spring.profiles.active=real", SECRET + "=  ");
    }

    @Test
    void aShortSecretIsNotShown(CapturedOutput log) {
        assertRefused(log, List.of(SECRET, "32"), SECRET + "=short-and-secret");
        assertThat(log.getAll()).doesNotContain("short-and-secret");
    }

    @Test
    void aSecretAndAnIssuer(CapturedOutput log) {
        assertRefused(
                log,
                List.of(SECRET, ISSUER),
                SECRET + "=" + BearerTokens.OF_TESTS.secret(),
                ISSUER + "=http://127.0.0.1:1/");
        assertThat(log.getAll()).doesNotContain(BearerTokens.OF_TESTS.secret());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1"})
    void openOnAnAddressThatOthersReach(String address, CapturedOutput log) {
        assertRefused(log, List.of("server.address=127.0.0.1", SECRET, ISSUER), "server.address=" + address);
    }

    @Test
    void openManagementOnEveryAddress(CapturedOutput log) {
        assertRefused(log, List.of("management.server.address", SECRET), "management.server.port=0");
    }

    @Test
    void withASecretAnyAddressMayBeGiven() {
        ServiceSettings settings = KitService.settings()
                .set(SECRET, BearerTokens.OF_TESTS.secret())
                .set("server.address", "0.0.0.0");
        try (RunningService service = KitService.start(settings)) {
            assertThat(service.get("/who").status()).isEqualTo(401);
        }
    }

    @Test
    void theSettingsNeverShowTheSecret() {
        assertThat(new AccessSettings("a secret of more than thirty-two bytes"))
                .hasToString("AccessSettings[jwtSecret=given]");
    }
}
