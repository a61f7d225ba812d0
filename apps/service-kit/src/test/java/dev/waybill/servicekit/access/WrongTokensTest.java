package dev.waybill.servicekit.access;

import static dev.waybill.servicekit.KitService.TOKENS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servicekit.KitService;
import dev.waybill.servicetestkit.BearerTokens;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.RunningService;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WrongTokensTest {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final WrongTokens wrong = new WrongTokens(now::get);

    private void use(String address, int failures) {
        for (int i = 0; i < failures; i++) {
            wrong.count(address);
        }
    }

    @Test
    void twentyAMinuteAreFreeAndThenTheTimeToWaitIsTold() {
        use("10.0.0.1", 19);
        assertThat(wrong.count("10.0.0.1")).isEmpty();
        assertThat(wrong.count("10.0.0.1")).hasValue(61);
        now.addAndGet(TimeUnit.SECONDS.toNanos(59) + 1);
        assertThat(wrong.count("10.0.0.1")).hasValue(1);
        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(wrong.count("10.0.0.1")).isEmpty();
    }

    @Test
    void eachAddressHasItsOwnCountAndAnIpv6NetworkOne() {
        use("10.0.0.1", 21);
        assertThat(wrong.count("10.0.0.2")).isEmpty();
        for (int host = 0; host < 20; host++) {
            assertThat(wrong.count("2001:db8:0:1::" + Integer.toHexString(host + 1)))
                    .isEmpty();
        }
        assertThat(wrong.count("2001:db8:0:1:ffff::1")).isPresent();
        assertThat(wrong.count("2001:db8:0:2::1")).isEmpty();
    }

    @Test
    void aFloodOfAddressesIsBounded() {
        use("10.0.0.1", 21);
        for (int i = 0; i < WrongTokens.ADDRESSES * 2; i++) {
            wrong.count("11." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255));
            wrong.count("10.0.0.1");
        }
        assertThat(wrong.count("10.0.0.1"))
                .as("who goes on failing is not forgotten")
                .isPresent();
        assertThat(wrong.size()).isEqualTo(WrongTokens.ADDRESSES);
    }

    @Test
    void fiveThousandWrongTokensGetTwentyAnswersAndARightOnePasses() {
        try (RunningService service = KitService.withTokens()) {
            String forged = new BearerTokens("x".repeat(32)).user(7);
            Map<Integer, Integer> statuses = new TreeMap<>();
            for (int i = 0; i < 5_000; i++) {
                HttpReply reply = service.send(service.request("/who")
                        .header("Authorization", "Bearer " + forged)
                        .header("X-Forwarded-For", "10.0." + (i >> 8) + "." + (i & 255))
                        .header("Forwarded", "for=10.1.1." + (i & 255))
                        .header("X-Real-IP", "10.2.2." + (i & 255)));
                statuses.merge(reply.status(), 1, Integer::sum);
                if (reply.status() == 429) {
                    assertThat(reply.code()).isEqualTo("A0500");
                    assertThat(reply.headers().firstValueAsLong("Retry-After").orElseThrow())
                            .isBetween(1L, 61L);
                }
            }
            // A slow machine may begin a second minute.
            assertThat(statuses.get(401)).isIn(20, 40);
            assertThat(statuses).containsOnlyKeys(401, 429);
            assertThat(service.with(TOKENS.user(7)).get("/who").status()).isEqualTo(200);
            assertThat(service.get("/public").status()).isEqualTo(200);
            assertThat(service.get("/who").status()).as("without a token").isEqualTo(401);
        }
    }
}
