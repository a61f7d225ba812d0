package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.guard.running.CapturedLog;
import dev.waybill.guard.running.Deeds;
import dev.waybill.guard.running.Service;
import dev.waybill.servicetestkit.RawHttp;
import dev.waybill.servicetestkit.RawHttp.RawReply;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that come late, in pieces, broken or too large, on a server of four threads. */
class SlowBodiesTest {

    private static final String FIXED = "POST /deeds HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n";
    private static final String CHUNKED = FIXED + "Transfer-Encoding: chunked\r\n\r\n";
    private static final int DRIPPERS = 60;
    private static final int LARGEST = 256 * 1024;

    private static Service service;

    private RawHttp http = new RawHttp(0);
    private CapturedLog log = new CapturedLog(service);

    @BeforeAll
    static void start() {
        service = Service.with(
                List.of(Deeds.class),
                "logging.threshold.console=off",
                "server.tomcat.threads.max=4",
                "server.tomcat.max-swallow-size=4MB",
                "waybill.guard.requests.largest-body=" + LARGEST,
                "waybill.guard.requests.waiting-bytes=512KB",
                "waybill.guard.requests.body-deadline=2s");
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
    void nothingIsOurFault() throws IOException {
        http.close();
        log.close();
        assertThat(log.faults()).isEmpty();
    }

    private static String fixed(int length) {
        return FIXED + "Content-Length: " + length + "\r\n\r\n";
    }

    private static void assertRefused(RawReply reply, int status) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.text()).startsWith("{\"code\":\"A0400\"").contains(reply.header("x-trace-id"));
    }

    @ParameterizedTest
    @ValueSource(strings = {FIXED + "Content-Length: 100\r\n\r\n{", CHUNKED + "5\r\nab", CHUNKED + "5"})
    void callersThatDripSilenceNobodyAndGet408(String begun) throws IOException {
        int before = Deeds.done();
        List<RawHttp> drippers = new ArrayList<>();
        try {
            for (int i = 0; i < DRIPPERS; i++) {
                drippers.add(new RawHttp(service.port()));
                drippers.get(i).send(begun);
            }
            long asked = System.nanoTime();
            assertThat(http.exchange("GET /deeds/1 HTTP/1.1\r\nHost: x\r\n\r\n").status())
                    .isEqualTo(200);
            assertThat(http.exchange(fixed(2) + "{}").status()).isEqualTo(200);
            assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(2));
            for (RawHttp dripper : drippers) {
                dripper.send("1");
                assertRefused(dripper.receive(), 408);
            }
        } finally {
            for (RawHttp dripper : drippers) {
                dripper.close();
            }
        }
        assertThat(Deeds.done()).isEqualTo(before + 1);
    }

    @Test
    void whatIncompleteBodiesHoldIsBoundedAndGivenBack() throws IOException {
        List<Integer> statuses = new ArrayList<>();
        List<RawHttp> callers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            callers.add(new RawHttp(service.port()));
            callers.get(i).send(fixed(250_000) + "x".repeat(200_000));
        }
        for (RawHttp caller : callers) {
            statuses.add(caller.receive().status());
            caller.close();
        }
        assertThat(statuses).contains(408, 503).containsOnly(408, 503);
        for (int i = 0; i < 4; i++) {
            assertThat(http.exchange(fixed(250_000) + "x".repeat(250_000)).status())
                    .isEqualTo(200);
        }
    }

    @Test
    void aBodyInPiecesArrivesWhole() throws IOException {
        http.send(fixed(100_000));
        for (int i = 0; i < 100; i++) {
            http.send("x".repeat(1_000));
        }
        assertThat(http.receive().text()).contains("\"data\":100000");
        http.send(CHUNKED);
        for (int i = 0; i < 100; i++) {
            http.send("3e");
            http.send("8;name=value\r\n" + "x".repeat(999));
            http.send("x\r");
            http.send("\n");
        }
        http.send("0\r\nA: b\r");
        http.send("\n\r\n");
        assertThat(http.receive().text()).contains("\"data\":100000");
        assertThat(http.exchange(fixed(3) + "abc").text()).contains("\"data\":3");
    }

    @Test
    void aBodyArrivesWholeWhereverItIsCutIntoThree() throws IOException {
        assertWholeHoweverCut(fixed(5), "abcde");
        assertWholeHoweverCut(CHUNKED, "3;a=b\r\nabc\r\n02\r\nde\r\n0\r\nT: u\r\n\r\n");
    }

    /** Every place of the first cut, and for each all places of the second at the same time. Another request comes behind. */
    private void assertWholeHoweverCut(String head, String body) throws IOException {
        for (int first = 0; first <= body.length(); first++) {
            List<RawHttp> callers = new ArrayList<>();
            for (int second = first; second <= body.length(); second++) {
                callers.add(new RawHttp(service.port()));
                callers.get(second - first).send(head + body.substring(0, first));
            }
            awaitThatTheServerHasReadOn();
            for (int second = first; second <= body.length(); second++) {
                callers.get(second - first).send(body.substring(first, second));
            }
            awaitThatTheServerHasReadOn();
            for (int second = first; second <= body.length(); second++) {
                RawHttp caller = callers.get(second - first);
                caller.send(body.substring(second) + fixed(4) + "abcd");
                String cuts = "cut at %d and %d".formatted(first, second);
                assertThat(caller.receive().text()).as(cuts).contains("\"data\":5");
                assertThat(caller.receive().text()).as("behind " + cuts).contains("\"data\":4");
                caller.close();
            }
        }
    }

    /** The poller hands on what is readable in one pass, so that who is answered came behind the pieces sent before. */
    private void awaitThatTheServerHasReadOn() throws IOException {
        assertThat(http.exchange("GET /deeds/1 HTTP/1.1\r\nHost: x\r\n\r\n").status())
                .isEqualTo(200);
    }

    @Test
    void requestsBehindALateBodyAreAnsweredInTheirOrder() throws IOException {
        http.send(fixed(4) + "a");
        http.send("bcd" + fixed(5) + "abcde" + CHUNKED + "6\r\nabc");
        http.send("def\r\n0\r\n\r\n" + fixed(7) + "abcdefg" + CHUNKED + "8\r\nabcdefgh\r\n0\r\n\r\n" + fixed(9));
        http.send("abcdefghi");
        for (int length = 4; length <= 9; length++) {
            assertThat(http.receive().text()).contains("\"data\":" + length);
        }
    }

    @Test
    void anAsynchronousHandlerGetsItsLateBody() throws IOException {
        for (int i = 1; i < 4; i++) {
            http.send(fixed(50_000 * i).replace("/deeds", "/deeds/later"));
            http.send("x".repeat(20_000));
            http.send("x".repeat(50_000 * i - 20_000));
            assertThat(http.receive().text()).contains("\"length\":" + 50_000 * i);
        }
    }

    @Test
    void whoAsksFirstIsToldToGoOn() throws IOException {
        http.send(FIXED + "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n");
        assertThat(http.receiveHead().status()).isEqualTo(100);
        http.send("abcde");
        assertThat(http.receive().text()).contains("\"data\":5");
        int before = Deeds.done();
        assertRefused(
                http.exchange(FIXED + "Expect: 100-continue\r\nContent-Length: " + (LARGEST + 1) + "\r\n\r\n"), 413);
        assertThat(Deeds.done()).isEqualTo(before);
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedBeforeItIsParsed() throws IOException {
        int before = Deeds.done();
        assertRefused(http.exchange(fixed(LARGEST + 1) + "x".repeat(LARGEST + 1)), 413);
        assertRefused(http.exchange(fixed(2_000_000) + "x".repeat(2_000_000)), 413);
        assertRefused(http.exchange(fixed(2_000_000_000) + "x"), 413);
        assertRefused(http.exchange(CHUNKED + "80000\r\n" + "x".repeat(0x80000) + "\r\n0\r\n\r\n"), 413);
        assertThat(Deeds.done()).isEqualTo(before);
        assertThat(http.exchange(fixed(LARGEST) + "x".repeat(LARGEST)).text()).contains("\"data\":" + LARGEST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/%ff%fe", "/a%00", "/a%2fb", "/%zz"})
    void aPathThatIsNoneTakesNoAnswerFromABodyThatIsRefused(String path) throws IOException {
        assertRefused(http.exchange((fixed(2_000_000_000) + "x").replace("/deeds", path)), 413);
        assertRefused(http.exchange((fixed(LARGEST + 1) + "x".repeat(LARGEST + 1)).replace("/deeds", path)), 413);
        assertRefused(http.exchange((CHUNKED + "zz\r\n").replace("/deeds", path)), 400);
    }

    @Test
    void aBodyThatEndsTooSoonIsRefused() throws IOException {
        int before = Deeds.done();
        for (String begun : List.of(fixed(9) + "abc", CHUNKED + "9\r\nabc", CHUNKED + "3\r\nabc\r\n", CHUNKED)) {
            http.send(begun);
            http.endOutput();
            assertRefused(http.receive(), 400);
        }
        assertThat(Deeds.done()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x\r\n",
                "-1\r\n",
                "3\nabc",
                "3\r\nabcd\r\n",
                "123456789\r\n",
                "3 \r\nabc\r\n0\r\n\r\n",
                "3;\u0001\r\n"
            })
    void aBadChunkIsRefused(String chunk) throws IOException {
        int before = Deeds.done();
        assertRefused(http.exchange(CHUNKED + chunk), 400);
        http.send(CHUNKED);
        assertRefused(http.exchange(chunk), 400);
        assertThat(Deeds.done()).isEqualTo(before);
    }
}
