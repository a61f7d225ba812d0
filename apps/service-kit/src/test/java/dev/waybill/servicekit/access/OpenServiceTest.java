package dev.waybill.servicekit.access;

import static dev.waybill.servicetestkit.ReplyAssertions.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servicekit.KitService;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.RawHttp;
import dev.waybill.servicetestkit.RunningService;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A service without a secret: everybody on this machine may do everything, and no web page may. */
@ExtendWith(OutputCaptureExtension.class)
class OpenServiceTest {

    private static RunningService service;

    @BeforeAll
    static void start() {
        service = KitService.open();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static HttpReply post(String... headers) {
        return service.post("/operators", "", headers);
    }

    private static int statusForHost(String host) throws IOException {
        try (RawHttp http = new RawHttp(service.port())) {
            return http.exchange("POST /operators HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 0\r\n\r\n")
                    .status();
        }
    }

    @Test
    void everybodyMayDoEverything() {
        assertThat(service.get("/who").data().path("unrestricted").asBoolean()).isTrue();
        for (String path : List.of("/operators", "/users", "/mine/7", "/orders/7/cancel")) {
            assertThat(service.post(path, "", "X-Idempotency-Key", "open").status())
                    .as(path)
                    .isEqualTo(200);
        }
        assertThat(service.post("/orders", "{\"userId\":7,\"sku\":\"a\"}", "X-Idempotency-Key", "o")
                        .status())
                .isEqualTo(200);
        assertThat(post("Authorization", "Bearer nonsense").status())
                .as("a token says nothing here")
                .isEqualTo(200);
    }

    @Test
    void aPageOfAnotherSiteIsRefused() {
        for (String site : List.of("cross-site", "same-site", "CROSS-SITE", "")) {
            assertRefused(post("Sec-Fetch-Site", site), 403, "A0301");
        }
        String own = "http://127.0.0.1:" + service.port();
        for (String origin : List.of(
                "null",
                "http://evil.example",
                "http://localhost:" + service.port(),
                "http://127.0.0.1",
                "http://127.0.0.1:1",
                own.replace("http", "https"),
                own + ".evil.example",
                "")) {
            assertRefused(post("Origin", origin), 403, "A0301");
        }
        assertRefused(post("Sec-Fetch-Site", "same-origin", "Origin", "http://evil.example"), 403, "A0301");
    }

    @Test
    void aPageOfTheServiceItselfMayAsk() {
        assertThat(post("Sec-Fetch-Site", "same-origin", "Origin", "http://127.0.0.1:" + service.port())
                        .status())
                .isEqualTo(200);
        assertThat(service.send(service.request("/who").header("Sec-Fetch-Site", "none"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aNameThatPointsHereIsNotLoopback() throws IOException {
        String port = ":" + service.port();
        for (String host : List.of("localhost", "LOCALHOST" + port, "127.0.0.1" + port, "127.1.2.3", "[::1]" + port)) {
            assertThat(statusForHost(host)).as(host).isEqualTo(200);
        }
        for (String host : List.of(
                "evil.example",
                "evil.example" + port,
                "127.0.0.1.evil.example" + port,
                "localhost.evil.example",
                "evil.localhost.example",
                "localhost.",
                "10.0.0.1",
                "0.0.0.0",
                "127.0.0.256",
                "[::]")) {
            assertThat(statusForHost(host)).as(host).isIn(403, 400);
        }
    }

    @Test
    void aForwardedHostChangesNothing() {
        assertRefused(
                post(
                        "Origin",
                        "http://evil.example",
                        "X-Forwarded-Host",
                        "evil.example",
                        "Forwarded",
                        "host=evil.example"),
                403,
                "A0301");
    }

    @Test
    void itIsSaidAtTheStartAndNoPasswordIsMade(CapturedOutput log) {
        try (RunningService other = KitService.open()) {
            assertThat(other.setting("server.address")).isEqualTo("127.0.0.1");
            assertThat(log.getAll()).contains("[Access] open to everybody on this machine");
            assertThat(log.getAll()).doesNotContain("generated security password");
        }
    }
}
