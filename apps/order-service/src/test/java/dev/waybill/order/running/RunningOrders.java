package dev.waybill.order.running;

import dev.waybill.order.OrderApplication;
import dev.waybill.servicetestkit.BearerTokens;
import dev.waybill.servicetestkit.ConcurrentCalls;
import dev.waybill.servicetestkit.HttpCalls;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.RunningService;
import dev.waybill.servicetestkit.ServiceSettings;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import org.springframework.context.support.GenericApplicationContext;

/** A running order service. */
public final class RunningOrders extends RunningService {

    public static final long USER = 10001;

    private RunningOrders(ServiceSettings settings, Consumer<GenericApplicationContext> testBeans) {
        super(OrderApplication.application(), settings, testBeans);
    }

    public static RunningOrders start(ServiceSettings settings) {
        return start(settings, beans -> {});
    }

    public static RunningOrders start(ServiceSettings settings, Consumer<GenericApplicationContext> testBeans) {
        return new RunningOrders(settings, testBeans);
    }

    /** Calls are made by the user who owns {@link #newOrder()}, unless a test says otherwise. */
    @Override
    public HttpRequest.Builder request(String path) {
        return super.request(path).setHeader("Authorization", "Bearer " + BearerTokens.OF_TESTS.user(USER));
    }

    public HttpCalls as(long userId) {
        return with(BearerTokens.OF_TESTS.user(userId));
    }

    /** An order of two of one thing and one of another, 29.97 in all. */
    public HttpReply create(String clientRequestId, long userId) {
        return as(userId).post("/orders", body(clientRequestId, userId));
    }

    public String newOrder() {
        return create(UUID.randomUUID().toString(), USER).orderNo();
    }

    public static String body(String clientRequestId, long userId) {
        return body(clientRequestId, userId, """
                {"skuId":1001,"quantity":2,"price":9.99},{"skuId":1002,"warehouseId":2,"quantity":1,"price":9.99}""");
    }

    public static String body(String clientRequestId, long userId, String items) {
        return """
                {"clientRequestId":"%s","userId":%d,"items":[%s]}""".formatted(clientRequestId, userId, items);
    }

    /** One request, written down in several ways: order of fields and lines, numbers, space, defaults. */
    public static List<String> sameInOtherWords(String clientRequestId, long userId) {
        String one = "{\"skuId\":1,\"quantity\":1,\"price\":5}";
        String two = "{\"skuId\":2,\"quantity\":2,\"price\":5.10}";
        return List.of(
                body(clientRequestId, userId, one + "," + two),
                body(clientRequestId, userId, two + "," + one),
                body(clientRequestId, userId, " " + one + " , " + two + " "),
                body(clientRequestId, userId, "{\"price\":5.00,\"quantity\":1,\"skuId\":1}," + two),
                body(clientRequestId, userId, one + "," + two.replace("5.10", "5.1")),
                body(clientRequestId, userId, one.replace("\"skuId\":1", "\"skuId\":\"1\"") + "," + two),
                body(clientRequestId, userId, one.replace("{", "{\"warehouseId\":1,") + "," + two),
                "{\"items\":[%s,%s],\"userId\":%d,\"clientRequestId\":\"%s\"}"
                        .formatted(one, two, userId, clientRequestId));
    }

    /**
     * The same create so many times at once, spelled in another way and keyed by header, body or both each time. A caller who
     * is told that the first run is still under way (A0401) asks again until there is an answer, as the answer bids.
     */
    public List<HttpReply> createAtOnce(int times, String request, Runnable beforeEach) {
        return ConcurrentCalls.run(times, i -> {
            Random random = new Random(i);
            HttpReply reply;
            do {
                beforeEach.run();
                reply = createInAnyWords(request, random);
            } while (reply.code().equals("A0401"));
            return reply;
        });
    }

    private HttpReply createInAnyWords(String request, Random random) {
        List<String> spellings = sameInOtherWords(request, USER);
        String body = spellings.get(random.nextInt(spellings.size()));
        return switch (random.nextInt(3)) {
            case 0 -> post("/orders", body);
            case 1 -> post("/orders", body, "X-Idempotency-Key", request);
            default ->
                post(
                        "/orders",
                        body.replaceFirst(",?\"clientRequestId\":\"[^\"]*\",?", ""),
                        "Idempotency-Key",
                        request);
        };
    }

    public HttpReply cancel(String orderNo) {
        return post(
                "/orders/" + orderNo + "/cancel",
                "",
                "X-Idempotency-Key",
                UUID.randomUUID().toString());
    }

    public String statusOf(String orderNo) {
        return text("SELECT status FROM t_order WHERE order_no = ?", orderNo);
    }

    /** Every row that any request could have written. */
    public long rowsInAll() {
        return count("SELECT (SELECT COUNT(*) FROM t_order) + (SELECT COUNT(*) FROM t_order_item)"
                + " + (SELECT COUNT(*) FROM t_order_state_flow) + (SELECT COUNT(*) FROM t_outbox_event)");
    }

    public long events(String orderNo, String tag) {
        return count("SELECT COUNT(*) FROM t_outbox_event WHERE biz_key = ? AND tag = ?", orderNo, tag);
    }
}
