package dev.waybill.marketplace.running;

import dev.waybill.marketplace.MarketplaceApplication;
import dev.waybill.servicetestkit.BearerTokens;
import dev.waybill.servicetestkit.HttpCalls;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.RunningService;
import dev.waybill.servicetestkit.ServiceSettings;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.springframework.context.support.GenericApplicationContext;

/** A running marketplace. */
public final class RunningMarket extends RunningService {

    public static final Duration PATIENCE = Duration.ofSeconds(30);
    public static final long SELLER = 10002;

    private static final AtomicLong BUYERS = new AtomicLong(20_000);

    /** Who ordered, since the database may be away when somebody has to pay. */
    private final Map<Long, Long> buyers = new ConcurrentHashMap<>();

    private RunningMarket(ServiceSettings settings, Consumer<GenericApplicationContext> testBeans) {
        super(MarketplaceApplication.application(), settings, testBeans);
    }

    public static RunningMarket start(ServiceSettings settings) {
        return start(settings, beans -> {});
    }

    public static RunningMarket start(ServiceSettings settings, Consumer<GenericApplicationContext> testBeans) {
        return new RunningMarket(settings, testBeans);
    }

    /** As the operator, whom an open service does not look at. */
    @Override
    public HttpRequest.Builder request(String path) {
        return anonymousRequest(path).header("Authorization", "Bearer " + BearerTokens.OF_TESTS.operator());
    }

    public HttpRequest.Builder anonymousRequest(String path) {
        return super.request(path);
    }

    public HttpCalls as(long user) {
        return with(BearerTokens.OF_TESTS.user(user));
    }

    public static long newBuyer() {
        return BUYERS.incrementAndGet();
    }

    /** A bicycle for 88.50. */
    public long newProduct() {
        return as(SELLER).post("/products", """
                {"sellerId":%d,"title":"自行车","price":88.50}""".formatted(SELLER)).id();
    }

    public HttpReply order(long buyerId, long productId, String... headers) {
        HttpReply reply = as(buyerId).post("/orders", """
                {"buyerId":%d,"productId":%d}""".formatted(buyerId, productId), headers);
        buyers.put(reply.id(), buyerId);
        return reply;
    }

    /** A pending order of a buyer and a product of its own. */
    public HttpReply newOrder() {
        return order(newBuyer(), newProduct());
    }

    /** As the one whose it is to do. */
    public HttpReply move(long orderId, String how) {
        long user = how.equals("ship")
                ? SELLER
                : buyers.computeIfAbsent(
                        orderId, id -> count("SELECT COALESCE(MAX(buyer_id), 0) FROM orders WHERE id = ?", id));
        return as(user).post("/orders/" + orderId + "/" + how);
    }

    public String statusOf(long orderId) {
        return text("SELECT status FROM orders WHERE id = ?", orderId);
    }

    public String productStatus(long productId) {
        return text("SELECT status FROM products WHERE id = ?", productId);
    }

    public String projected(long productId) {
        return text("SELECT status FROM inventory_projection WHERE product_id = ?", productId);
    }

    /** The outbox's status of the only event of this type that the order has. */
    public String outbox(long orderId, String type) {
        return text("SELECT status FROM outbox_events WHERE aggregate_id = ? AND event_type = ?", orderId, type);
    }

    public String eventId(long orderId, String type) {
        return text("SELECT event_id FROM outbox_events WHERE aggregate_id = ? AND event_type = ?", orderId, type);
    }

    public boolean consumed(String eventId) {
        return count("SELECT COUNT(*) FROM event_consume_log WHERE event_id = ?", eventId) == 1;
    }

    /** Every row that any request could have written. */
    public long rowsInAll() {
        return count("SELECT (SELECT COUNT(*) FROM products) + (SELECT COUNT(*) FROM orders)"
                + " + (SELECT COUNT(*) FROM outbox_events) + (SELECT COUNT(*) FROM buyer_credit)");
    }
}
