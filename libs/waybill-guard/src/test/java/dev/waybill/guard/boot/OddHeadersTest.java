package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.guard.running.CapturedLog;
import dev.waybill.guard.running.Deeds;
import dev.waybill.guard.running.Service;
import dev.waybill.servicetestkit.RawHttp;
import dev.waybill.servicetestkit.RawHttp.RawReply;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.Environment;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whatever a caller writes into headers and path: settled before a handler runs, answered in shape, told in one line. */
class OddHeadersTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final List<String> WRITES =
            List.of("/deeds", "/deeds/text", "/deeds/entity", "/deeds/later", "/deeds/refused");

    private static Service service;

    private RawHttp http = new RawHttp(0);
    private CapturedLog log = new CapturedLog(service);

    @BeforeAll
    static void start() {
        service = Service.with(List.of(Deeds.class), "logging.threshold.console=off");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void connect() {
        http = new RawHttp(service.port());
    }

    @AfterEach
    void noCallerPutsAStackTraceIntoTheLog() throws IOException {
        http.close();
        log.close();
        assertThat(log.faults()).isEmpty();
    }

    private RawReply send(String method, String path, String... headers) throws IOException {
        StringBuilder request = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: x\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        String body = method.equals("POST") ? "{\"a\":1}" : "";
        if (!String.join("", headers).contains("Content-Type")) {
            request.append("Content-Type: application/json\r\n");
        }
        return http.exchange(request + "Content-Length: " + body.length() + "\r\n\r\n" + body);
    }

    private static void assertAnswer(RawReply reply, int status, String code) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.contentType()).startsWith("application/json");
        JsonNode json = JSON.readTree(reply.text());
        assertThat(Set.copyOf(json.propertyNames())).isEqualTo(Set.of("code", "message", "data", "traceId"));
        assertThat(json.get("code").asString()).isEqualTo(code);
        assertThat(json.get("traceId").asString()).isEqualTo(reply.header("x-trace-id"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "image/png",
                "text/html",
                "application/xml",
                "garbage",
                "a/b/c",
                ";;",
                "application/",
                "*/json",
                "text/plain;charset=nothing"
            })
    void anAcceptThatCannotBeMetIsRefusedBeforeTheHandlerRuns(String accept) throws IOException {
        int before = Deeds.done();
        for (String path : WRITES) {
            assertAnswer(send("POST", path, "Accept: " + accept), 406, "A0400");
        }
        assertThat(Deeds.done()).isEqualTo(before);
    }

    @Test
    void soIsOneThatIsTooLongToRead() throws IOException {
        int before = Deeds.done();
        assertAnswer(send("POST", "/deeds", "Accept: " + "application/json,".repeat(60) + "a/b"), 406, "A0400");
        assertThat(Deeds.done()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*/*",
                "application/json",
                "application/*",
                "image/png, */*;q=0.1",
                "application/problem+json",
                "application/json;q=0.1"
            })
    void anAcceptThatCanBeMetIs(String accept) throws IOException {
        int before = Deeds.done();
        for (String path : WRITES.subList(0, 4)) {
            RawReply reply = send("POST", path, "Accept: " + accept);
            assertThat(reply.status()).as(path + " " + reply.text()).isEqualTo(200);
            assertThat(JSON.readTree(reply.text()).get("code").asString()).isEqualTo("00000");
        }
        assertThat(Deeds.done()).isEqualTo(before + 4);
    }

    @Test
    void whatAHandlerProducesOfAnotherKindIsLeftToIt() throws IOException {
        assertThat(send("GET", "/image", "Accept: image/png").contentType()).isEqualTo("image/png");
        assertThat(send("GET", "/bytes", "Accept: image/png").status()).isEqualTo(200);
        assertAnswer(send("GET", "/image", "Accept: text/html"), 406, "A0400");
    }

    @Test
    void whoCannotBeToldBeforeGetsJsonAfter() throws IOException {
        int before = Deeds.done();
        assertAnswer(send("POST", "/deeds/anything", "Accept: image/png"), 200, "00000");
        assertThat(Deeds.done()).isEqualTo(before + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*/*", "application/json", "image/png, */*;q=0.1"})
    void aRefusalOfTheApplicationKeepsItsDataUnderAnyAccept(String accept) throws IOException {
        assertRefusedWithData(send("POST", "/deeds/refused", "Accept: " + accept));
    }

    @Test
    void aRefusalIsReadableAlsoWhereSomethingElseWasAskedFor() throws IOException {
        assertRefusedWithData(send("GET", "/image/refused", "Accept: image/png"));
    }

    private static void assertRefusedWithData(RawReply reply) {
        assertAnswer(reply, 400, "A0400");
        assertThat(JSON.readTree(reply.text()).at("/data/rule").asString()).isEqualTo("kept");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "--", "-,-", "*-", "en-", "-en", "en;q=", "aaaaaaaaa", "zh-,en", "x-x-x-", "\u00e9"})
    void anOddAcceptLanguageBreaksNothing(String language) throws IOException {
        String header = "Accept-Language: " + language;
        assertAnswer(send("POST", "/deeds/entity", header), 200, "00000");
        assertAnswer(send("GET", "/nowhere", header), 404, "NOT_FOUND");
        assertAnswer(send("GET", "/deeds/a%00", header), 400, "A0400");
        assertAnswer(send("POST", "/deeds", header, "Accept: image/png"), 406, "A0400");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"application/*", "*/*", "garbage", "application/json;charset=nothing", "a/b/c", ";;", "text/*"})
    void aContentTypeThatIsNoneIsRefusedBeforeTheHandlerRuns(String type) throws IOException {
        int before = Deeds.done();
        for (String path : WRITES) {
            assertAnswer(send("POST", path, "Content-Type: " + type), 415, "A0400");
        }
        assertThat(Deeds.done()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({"/deeds/a;x=%,400", "/deeds/a;%zz=1,400", "/deeds/%;a,400", "/deeds/a;x=%41,200", "/deeds/a;x,200"})
    void aPathIsReadOrRefused(String path, int status) throws IOException {
        assertAnswer(send("GET", path), status, status == 200 ? "00000" : "A0400");
    }

    @ParameterizedTest
    @CsvSource({
        "OPTIONS,/deeds,200,00000",
        "OPTIONS,/deeds/1,200,00000",
        "OPTIONS,/nowhere,404,NOT_FOUND",
        "OPTIONS,*,400,A0400",
        "TRACE,/deeds/1,405,A0400",
        "TRACE,/deeds/a;x=%,405,A0400",
        "FOO,/deeds/1,405,A0400",
        "PATCH,/deeds/1,405,A0400"
    })
    void everyMethodIsAnsweredInShape(String method, String path, int status, String code) throws IOException {
        assertAnswer(send(method, path), status, code);
    }

    /** Spring looks into an upload before it asks which page to show. */
    @Test
    void anErrorPageLooksIntoNoUpload() throws IOException {
        assertAnswer(send("TRACE", "/deeds/a;x=%", "Content-Type: multipart/form-data"), 405, "A0400");
    }

    @Test
    void optionsNamesTheMethods() throws IOException {
        assertThat(send("OPTIONS", "/deeds").header("allow")).contains("POST");
    }

    @ParameterizedTest
    @CsvSource({
        "/deeds,http://elsewhere,200,00000",
        "/deeds/text,http://friend,200,00000",
        "/deeds/text,http://elsewhere,403,A0301"
    })
    void anOriginThatAsksFirstIsAnsweredInShape(String path, String origin, int status, String code)
            throws IOException {
        assertAnswer(send("OPTIONS", path, "Origin: " + origin, "Access-Control-Request-Method: POST"), status, code);
    }

    @ParameterizedTest
    @CsvSource({"Expect: more,417", "Transfer-Encoding: gzip,400", "Host: y,400", "bad header: x,400"})
    void whoseConnectionIsClosedIsTold(String header, int status) throws IOException {
        RawReply reply = send("POST", "/deeds", header);
        assertAnswer(reply, status, "A0400");
        assertThat(reply.header("connection")).isEqualTo("close");
        assertAnswer(send("POST", "/deeds"), 200, "00000");
    }

    @Test
    void aRequestForTheWholeServerIsAnsweredInShapeAlsoWhereTomcatRefusesIt() throws IOException {
        for (String header : List.of("bad header: x", "Connection: a\nforged", "Transfer-Encoding: gzip")) {
            assertAnswer(send("OPTIONS", "*", header), 400, "A0400");
        }
    }

    @Test
    void aCookieThatIsNoneIsNotWrittenToTheLog() throws IOException {
        assertAnswer(send("GET", "/deeds/1", "Cookie: secret OR 1=1 --"), 200, "00000");
        assertThat(log.text()).doesNotContain("secret");
        assertThat(service.bean(Environment.class)
                        .getProperty("logging.level.org.apache.tomcat.util.http.parser.Cookie"))
                .isEqualTo("warn"); // Tomcat tells it once a day, perhaps to another test
    }

    @Test
    void aHeadHasNoBodyAndTheConnectionGoesOn() throws IOException {
        http.send("HEAD /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        http.endOutput();
        assertThat(http.receiveHead().status()).isEqualTo(404);
    }
}
