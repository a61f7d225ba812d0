package dev.waybill.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A receiver on loopback hears what is posted, and what it answers counts. */
class WebhookSinkTest {

    private static final AlertNotice NOTICE = new AlertNotice(
            AlertNotice.Kind.RAISED,
            "shop",
            "outbox-dead",
            "outbox-dead",
            Severity.CRITICAL,
            1,
            "type=\"x\"\nerror=<b>",
            Instant.EPOCH);

    private final List<String> received = new CopyOnWriteArrayList<>();
    private volatile int status = 200;
    private volatile String answer = "";
    private HttpServer receiver;

    @BeforeEach
    void listen() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        receiver.createContext("/", exchange -> {
            received.add(exchange.getRequestMethod() + " "
                    + exchange.getRequestHeaders().getFirst("Content-Type") + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        receiver.start();
    }

    @AfterEach
    void close() {
        receiver.stop(0);
    }

    @Test
    void aWebhookGetsOneObjectInJson() {
        sink(WebhookFormat.JSON).tell(NOTICE);
        assertThat(received)
                .containsExactly("POST application/json; charset=utf-8 {\"kind\":\"raised\",\"scope\":\"shop\","
                        + "\"alert\":\"outbox-dead\",\"rule\":\"outbox-dead\",\"severity\":\"critical\",\"step\":1,"
                        + "\"detail\":\"type=\\\"x\\\"\\nerror=<b>\",\"at\":\"1970-01-01T00:00:00Z\"}");
    }

    @Test
    void aRobotOfDingTalkGetsATextMessage() {
        answer = "{\"errcode\":0,\"errmsg\":\"ok\"}";
        sink(WebhookFormat.DINGTALK).tell(NOTICE);
        assertThat(received)
                .containsExactly("POST application/json; charset=utf-8 {\"msgtype\":\"text\",\"text\":{\"content\":"
                        + "\"[ALERT] raised CRITICAL shop outbox-dead\\ntype=\\\"x\\\"\\nerror=<b>\\n"
                        + "1970-01-01T00:00:00Z\"}}");
    }

    @Test
    void anotherAnswerThan2xxIsAFailureThatShowsNoSecret() {
        status = 302;
        assertFails(WebhookFormat.JSON, "the webhook at 127.0.0.1 answered 302");
        status = 500;
        assertFails(WebhookFormat.JSON, "the webhook at 127.0.0.1 answered 500");
        receiver.stop(0);
        assertThatThrownBy(() -> sink(WebhookFormat.JSON).tell(NOTICE))
                .hasMessageContaining("did not answer")
                .hasMessageNotContaining("secret");
    }

    /** DingTalk answers 200 also when it shows nobody the message. */
    @Test
    void aRobotOfDingTalkThatRefusesIsAFailure() {
        answer = "{\"errcode\":310000,\"errmsg\":\"keywords not in content\",\"more\":{\"a\":[1]}}";
        assertFails(WebhookFormat.DINGTALK, "refused: errcode=310000 errmsg=keywords not in content");
        for (String odd : List.of("", "not json", "[]", "{\"errmsg\":\"ok\"}", "{\"errcode\":", "[".repeat(5_000))) {
            answer = odd;
            assertThatThrownBy(() -> sink(WebhookFormat.DINGTALK).tell(NOTICE)).hasMessageContaining("refused");
        }
        assertThatCode(() -> sink(WebhookFormat.JSON).tell(NOTICE))
                .as("another receiver may answer as it likes")
                .doesNotThrowAnyException();
    }

    private void assertFails(WebhookFormat format, String message) {
        assertThatThrownBy(() -> sink(format).tell(NOTICE))
                .hasMessageContaining(message)
                .hasMessageNotContaining("secret");
    }

    private WebhookSink sink(WebhookFormat format) {
        return new WebhookSink(
                URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + "/robot/send?access_token=secret"),
                format,
                Duration.ofSeconds(10));
    }
}
