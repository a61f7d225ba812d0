package dev.waybill.flows;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sellers and buyers at a marketplace that may go away at any moment. What it answered is remembered, and looked at later. */
final class MarketSales implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();
    private static final long BETWEEN_SALES_NANOS = TimeUnit.MILLISECONDS.toNanos(40);
    private static final long AWAY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** An order that was answered, and the states in which it may be: two where the answer to a move was lost. */
    private record Sale(long product, long order, Set<String> states) {}

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final String address;
    private final Collection<Long> products = new ConcurrentLinkedQueue<>();
    private final Collection<Sale> sales = new ConcurrentLinkedQueue<>();
    private final List<Thread> traders = new ArrayList<>();
    private volatile boolean closed;

    MarketSales(int port) {
        this.address = "http://127.0.0.1:" + port;
    }

    void begin(int threads) {
        for (int i = 0; i < threads; i++) {
            Random random = new Random(i);
            Thread trader = new Thread(() -> trade(random), "trader-" + i);
            traders.add(trader);
            trader.start();
        }
    }

    private void trade(Random random) {
        while (!closed) {
            JsonNode product = answer(post("/products", "{\"sellerId\":10002,\"title\":\"bicycle\",\"price\":88.50}"));
            if (product == null) {
                LockSupport.parkNanos(AWAY_NANOS);
                continue;
            }
            long id = product.path("id").asLong();
            products.add(id);
            JsonNode order = answer(post("/orders", "{\"buyerId\":10001,\"productId\":" + id + "}"));
            if (order != null) {
                long number = order.path("id").asLong();
                sales.add(new Sale(id, number, move(number, random.nextInt(4))));
            }
            LockSupport.parkNanos(BETWEEN_SALES_NANOS); // every sale is looked at afterwards
        }
    }

    private Set<String> move(long order, int chance) {
        if (chance == 0) {
            return Set.of("pending");
        }
        String verb = chance == 1 ? "cancel" : "pay";
        String moved = chance == 1 ? "cancelled" : "paid";
        return answer(post("/orders/" + order + "/" + verb, "")) != null ? Set.of(moved) : Set.of("pending", moved);
    }

    int answered() {
        return products.size() + sales.size();
    }

    @Override
    public void close() {
        end();
    }

    /** No more sales; returns when the last caller has got its answer. */
    void end() {
        closed = true;
        for (Thread trader : traders) {
            try {
                trader.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What is not as it was answered, or not projected. */
    List<String> findings() {
        List<String> findings = new ArrayList<>();
        for (long product : products) {
            if (get("/products/" + product) == null) {
                findings.add("product " + product + " was answered and is gone");
            }
        }
        sales.forEach(sale -> look(sale, findings));
        return findings;
    }

    private void look(Sale sale, List<String> findings) {
        JsonNode order = get("/orders/" + sale.order());
        String status = order == null ? "gone" : order.path("status").asString("");
        if (!sale.states().contains(status)) {
            findings.add("order " + sale.order() + " should be " + sale.states() + " and is " + status);
        }
        JsonNode projection = get("/products/" + sale.product() + "/inventory");
        String projected =
                projection == null ? "gone" : projection.path("status").asString("");
        if (!projected.equals(status.equals("cancelled") ? "on_sale" : "sold")) {
            findings.add("order " + sale.order() + " is " + status + ", its product is projected as " + projected);
        }
        if (status.equals("paid") && get("/orders/" + sale.order() + "/fulfillment") == null) {
            findings.add("order " + sale.order() + " is paid and nobody was asked to send it");
        }
    }

    private @Nullable JsonNode get(String path) {
        return answer(HttpRequest.newBuilder(URI.create(address + path)).GET());
    }

    private HttpRequest.Builder post(String path, String body) {
        return HttpRequest.newBuilder(URI.create(address + path))
                .header("Content-Type", "application/json")
                .header("X-Idempotency-Key", UUID.randomUUID().toString())
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    /** The answer's data; null when there was no answer, or a refusal. */
    private @Nullable JsonNode answer(HttpRequest.Builder request) {
        try {
            HttpResponse<String> reply =
                    http.send(request.timeout(Duration.ofSeconds(20)).build(), HttpResponse.BodyHandlers.ofString());
            return reply.statusCode() == 200 ? JSON.readTree(reply.body()).path("data") : null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
