package dev.waybill.flows.rights;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servicetestkit.HttpCalls;
import dev.waybill.servicetestkit.HttpReply;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Each request of the table. What it needs is there before: made anew by those who may, so that only the right can refuse it. */
final class Deeds {

    /** One request by one caller. */
    @FunctionalInterface
    interface Deed {
        HttpReply by(Who who);
    }

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String KEY = "X-Idempotency-Key";

    private static final AtomicLong SKUS = new AtomicLong(System.currentTimeMillis() % 1_000_000 * 1_000);
    private final HttpCalls orders;
    private final HttpCalls inventory;
    private final HttpCalls market;

    Deeds(ThreeServices services) {
        this.orders = services.orders();
        this.inventory = services.inventory();
        this.market = services.market();
    }

    Map<String, Deed> byRequest() {
        return Map.ofEntries(
                entry("order POST /orders (userId)", this::order),
                entry("order GET /orders/{orderNo}", who -> who.calls(orders).get("/orders/" + orderNo())),
                entry(
                        "order GET /orders/{orderNo}/flow",
                        who -> who.calls(orders).get("/orders/" + orderNo() + "/flow")),
                entry(
                        "order POST /orders/{orderNo}/cancel",
                        who -> who.calls(orders).post("/orders/" + orderNo() + "/cancel", "{}", KEY, newKey())),
                entry("order GET /orders?userId=", who -> listAfter(orderNo(), who.calls(orders), "userId")),
                entry("inventory POST /inventory/receive", who -> receive(who, SKUS.incrementAndGet())),
                entry(
                        "inventory GET /inventory/{warehouseId}/{skuId}",
                        who -> who.calls(inventory).get("/inventory/1/" + received())),
                entry(
                        "inventory GET /reservations/{orderNo}",
                        who -> who.calls(inventory).get("/reservations/" + reserved())),
                entry("marketplace POST /products (sellerId)", this::offer),
                entry("marketplace GET /products/{id}", who -> who.calls(market).get("/products/" + product())),
                entry(
                        "marketplace GET /products/{id}/inventory",
                        who -> who.calls(market).get(projected())),
                entry("marketplace POST /orders (buyerId)", who -> buy(who, product())),
                entry("marketplace POST /orders/{id}/pay", who -> move(who, bought(), "pay")),
                entry("marketplace POST /orders/{id}/cancel", who -> move(who, bought(), "cancel")),
                entry("marketplace POST /orders/{id}/ship", who -> move(who, paid(), "ship")),
                entry("marketplace POST /orders/{id}/complete", who -> move(who, shipped(), "complete")),
                entry("marketplace GET /orders/{id}", who -> who.calls(market).get("/orders/" + bought())),
                entry(
                        "marketplace GET /orders/{id}/fulfillment",
                        who -> who.calls(market).get(fulfilled())),
                entry("marketplace GET /orders?buyerId=", who -> listAfter(bought(), who.calls(market), "buyerId")),
                entry("marketplace GET /users/{id}/notifications", who -> ofBuyer(who, "notifications")),
                entry("marketplace GET /users/{id}/credit", who -> ofBuyer(who, "credit")),
                entry("marketplace GET /dead-letters", who -> who.calls(market).get("/dead-letters")));
    }

    private HttpReply order(Who who) {
        return who.calls(orders)
                .post(
                        "/orders",
                        "{\"clientRequestId\":\"%s\",\"userId\":%d,\"items\":[{\"skuId\":%d,\"quantity\":1,\"price\":1}]}"
                                .formatted(newKey(), Who.BUYER.number, received()));
    }

    private String orderNo() {
        return ok(order(Who.BUYER)).orderNo();
    }

    private static HttpReply listAfter(Object made, HttpCalls service, String owner) {
        assertThat(made).isNotNull();
        return service.get("/orders?" + owner + "=" + Who.BUYER.number);
    }

    private HttpReply receive(Who who, long sku) {
        return who.calls(inventory)
                .post("/inventory/receive", "{\"warehouseId\":1,\"skuId\":" + sku + ",\"quantity\":5}", KEY, newKey());
    }

    private long received() {
        long sku = SKUS.incrementAndGet();
        ok(receive(Who.OPERATOR, sku));
        return sku;
    }

    private String reserved() {
        String orderNo = orderNo();
        awaitOk(inventory, "/reservations/" + orderNo);
        return orderNo;
    }

    private HttpReply offer(Who who) {
        return who.calls(market)
                .post(
                        "/products",
                        "{\"sellerId\":%d,\"title\":\"bicycle\",\"price\":8.5}".formatted(Who.SELLER.number));
    }

    private long product() {
        return ok(offer(Who.SELLER)).id();
    }

    private HttpReply buy(Who who, long product) {
        return who.calls(market)
                .post(
                        "/orders",
                        "{\"buyerId\":%d,\"productId\":%d}".formatted(Who.BUYER.number, product),
                        KEY,
                        newKey());
    }

    private long bought() {
        return ok(buy(Who.BUYER, product())).id();
    }

    private String projected() {
        long product = product();
        ok(buy(Who.BUYER, product));
        return awaitOk(market, "/products/" + product + "/inventory");
    }

    private long paid() {
        long order = bought();
        ok(move(Who.BUYER, order, "pay"));
        return order;
    }

    private String fulfilled() {
        return awaitOk(market, "/orders/" + paid() + "/fulfillment");
    }

    private long shipped() {
        long order = paid();
        ok(move(Who.SELLER, order, "ship"));
        return order;
    }

    private HttpReply move(Who who, long order, String verb) {
        return who.calls(market).post("/orders/" + order + "/" + verb);
    }

    private HttpReply ofBuyer(Who who, String what) {
        bought();
        return who.calls(market).get("/users/" + Who.BUYER.number + "/" + what);
    }

    private static String awaitOk(HttpCalls service, String path) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> ok(Who.OPERATOR.calls(service).get(path)));
        return path;
    }

    private static HttpReply ok(HttpReply reply) {
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
        return reply;
    }

    private static String newKey() {
        return UUID.randomUUID().toString();
    }
}
