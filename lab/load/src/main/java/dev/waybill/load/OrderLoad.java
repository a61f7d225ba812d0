package dev.waybill.load;

import dev.waybill.load.PlacedOrder.Cancel;
import dev.waybill.load.PlacedOrder.Item;
import dev.waybill.load.ServiceClient.Answer;
import dev.waybill.servicetestkit.BearerTokens;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./dev load orders}: creates and cancels orders against running services, then audits every one of them. */
@Command(
        name = "orders",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Creates and cancels orders against running services, then audits: every order in a legal final state,"
                        + " stock = received - reserved, flows complete. Exit status 1 when the audit finds anything.")
public final class OrderLoad implements Callable<Integer> {

    private static final int LARGEST_BASKET = 3;
    private static final BigDecimal PRICE = new BigDecimal("9.99");

    @Option(names = "--orders", defaultValue = "500", description = "orders to create (default: ${DEFAULT-VALUE})")
    private int orders;

    @Option(names = "--cancel", defaultValue = "20", description = "percent to cancel (default: ${DEFAULT-VALUE})")
    private int cancelPercent;

    @Option(names = "--threads", defaultValue = "8", description = "callers at once (default: ${DEFAULT-VALUE})")
    private int threads;

    @Option(
            names = "--rate",
            defaultValue = "150",
            description = "orders a second at most, 0: no limit (default: ${DEFAULT-VALUE})")
    private int rate;

    @Option(names = "--skus", defaultValue = "10", description = "different goods (default: ${DEFAULT-VALUE})")
    private int skus;

    @Option(
            names = "--stock",
            defaultValue = "0",
            description = "units received of each; 0: about two thirds of what is ordered, so that some orders fail")
    private int stock;

    @Option(
            names = "--order-service",
            defaultValue = "http://127.0.0.1:8081",
            description = "(default: ${DEFAULT-VALUE})")
    private URI orderService = URI.create("http://127.0.0.1:8081");

    @Option(
            names = "--inventory-service",
            defaultValue = "http://127.0.0.1:8082",
            description = "(default: ${DEFAULT-VALUE})")
    private URI inventoryService = URI.create("http://127.0.0.1:8082");

    @Option(
            names = "--patience",
            defaultValue = "120",
            description =
                    "seconds to wait for a service that is away, and for orders to come to rest (default: ${DEFAULT-VALUE})")
    private int patience;

    @Option(
            names = "--jwt-secret",
            defaultValue = "${env:WAYBILL_SECURITY_JWT_SECRET:-}",
            description =
                    "the services' waybill.security.jwt-secret (default: WAYBILL_SECURITY_JWT_SECRET); none: no tokens")
    private String secret = "";

    private final AtomicLong throttled = new AtomicLong();
    private final AtomicLong repeated = new AtomicLong();
    private final Collection<PlacedOrder> placed = new ConcurrentLinkedQueue<>();
    private final Collection<String> failures = new ConcurrentLinkedQueue<>();

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new OrderLoad())
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    System.err.println("load: " + failure.getMessage());
                    return 1;
                })
                .execute(arguments));
    }

    @Override
    public Integer call() throws InterruptedException {
        if (orders < 1 || threads < 1 || skus < 1 || cancelPercent < 0 || cancelPercent > 100) {
            throw new CommandLine.ParameterException(
                    new CommandLine(this), "orders, threads and skus are at least 1, cancel is 0 to 100");
        }
        Duration enough = Duration.ofSeconds(patience);
        ServiceClient order = new ServiceClient(orderService, enough, throttled, repeated);
        ServiceClient inventory = operator(new ServiceClient(inventoryService, enough, throttled, repeated));
        Progress progress = new Progress(System.out, Boolean.getBoolean("waybill.terminal"));

        Map<Long, Long> shelves = receive(inventory, progress);
        long begun = System.nanoTime();
        create(order, List.copyOf(shelves.keySet()), progress);
        double seconds = (System.nanoTime() - begun) / 1e9;
        Audit audit = new Audit(operator(order), inventory);
        settle(audit, progress);
        int looked = 0;
        for (PlacedOrder each : placed) {
            audit.order(each);
            progress.show("audit", ++looked, placed.size(), looked == placed.size());
        }
        long end = System.nanoTime() + enough.toNanos();
        for (Map.Entry<Long, Long> shelf : shelves.entrySet()) {
            audit.shelf(shelf.getKey(), shelf.getValue(), end);
        }
        return summary(audit, seconds);
    }

    private ServiceClient operator(ServiceClient client) {
        return secret.isEmpty() ? client : client.with(new BearerTokens(secret).operator());
    }

    private ServiceClient user(ServiceClient client, long number) {
        return secret.isEmpty() ? client : client.with(new BearerTokens(secret).user(number));
    }

    /** Goods of this run alone, so that the audit's sums are this run's. */
    private Map<Long, Long> receive(ServiceClient inventory, Progress progress) throws InterruptedException {
        long first = System.currentTimeMillis() % 1_000_000_000L * 100;
        long each = stock > 0 ? stock : Math.max(1, 2L * orders / skus);
        Map<Long, Long> shelves = new LinkedHashMap<>();
        for (int i = 0; i < skus; i++) {
            Answer answer = inventory.post(
                    "/inventory/receive",
                    UUID.randomUUID().toString(),
                    Map.of("warehouseId", Audit.WAREHOUSE, "skuId", first + i, "quantity", each));
            if (!answer.ok()) {
                throw new IllegalStateException("goods were not received: " + answer.text());
            }
            shelves.put(first + i, each);
            progress.show("receive", i + 1, skus, i + 1 == skus);
        }
        return shelves;
    }

    private void create(ServiceClient client, List<Long> goods, Progress progress) throws InterruptedException {
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        long start = System.nanoTime();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread caller = new Thread(() -> {
                Random random = new Random();
                for (int number = begun.incrementAndGet(); number <= orders; number = begun.incrementAndGet()) {
                    if (rate > 0) {
                        LockSupport.parkNanos(start + number * (1_000_000_000L / rate) - System.nanoTime());
                    }
                    place(client, goods, random);
                    progress.show("orders", done.incrementAndGet(), orders, done.get() == orders);
                }
            });
            caller.start();
            callers.add(caller);
        }
        for (Thread caller : callers) {
            caller.join();
        }
    }

    private void place(ServiceClient service, List<Long> goods, Random random) {
        long user = 1L + random.nextInt(1_000);
        ServiceClient client = user(service, user);
        List<Item> items = new ArrayList<>();
        int size = 1 + random.nextInt(Math.min(LARGEST_BASKET, goods.size()));
        int offset = random.nextInt(goods.size());
        for (int i = 0; i < size; i++) {
            items.add(new Item(goods.get((offset + i) % goods.size()), 1 + random.nextInt(2)));
        }
        String request = UUID.randomUUID().toString();
        try {
            Answer answer = client.post(
                    "/orders",
                    request,
                    Map.of(
                            "clientRequestId",
                            request,
                            "userId",
                            user,
                            "items",
                            items.stream()
                                    .map(item -> Map.of(
                                            "skuId",
                                            item.skuId(),
                                            "warehouseId",
                                            Audit.WAREHOUSE,
                                            "quantity",
                                            item.quantity(),
                                            "price",
                                            PRICE))
                                    .toList()));
            if (!answer.ok()) {
                failures.add("create: " + answer.text());
                return;
            }
            String orderNo = answer.data().path("orderNo").asString("");
            Cancel cancel = random.nextInt(100) < cancelPercent ? cancel(client, orderNo, random) : Cancel.NOT_ASKED;
            placed.add(new PlacedOrder(orderNo, items, cancel));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failures.add(String.valueOf(e));
        }
    }

    /** At once or a little later, so that it races the stock events; an order whose stock failed cannot be cancelled. */
    private Cancel cancel(ServiceClient client, String orderNo, Random random) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(50));
        Answer answer =
                client.post("/orders/" + orderNo + "/cancel", UUID.randomUUID().toString(), Map.of());
        if (!answer.ok() && !answer.code().equals("STATE_INVALID")) {
            failures.add("cancel: " + answer.text());
        }
        return answer.ok() ? Cancel.GRANTED : Cancel.REFUSED;
    }

    private void settle(Audit audit, Progress progress) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(patience).toNanos();
        List<PlacedOrder> open = new ArrayList<>(placed);
        while (!open.isEmpty() && System.nanoTime() < end) {
            List<PlacedOrder> still = new ArrayList<>();
            for (PlacedOrder each : open) {
                if (!audit.rests(each)) {
                    still.add(each);
                }
            }
            open = still;
            progress.show("settle", placed.size() - open.size(), placed.size(), open.isEmpty());
            if (!open.isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(200);
            }
        }
    }

    private int summary(Audit audit, double seconds) {
        System.out.printf(
                Locale.ROOT,
                "%d orders in %.1f s (%.0f/s), %s; 429 waited out %d times, calls made again %d times, failed %d%n",
                placed.size(),
                seconds,
                placed.size() / seconds,
                audit.rests(),
                throttled.get(),
                repeated.get(),
                failures.size());
        failures.stream().limit(10).forEach(failure -> System.out.println("  failed: " + failure));
        List<String> findings = audit.findings();
        findings.stream().limit(20).forEach(finding -> System.out.println("  AUDIT: " + finding));
        System.out.println(findings.isEmpty() ? "audit: clean" : "audit: " + findings.size() + " findings");
        return findings.isEmpty() && failures.isEmpty() ? 0 : 1;
    }
}
