package dev.waybill.load;

import dev.waybill.load.PlacedOrder.Cancel;
import dev.waybill.load.PlacedOrder.Item;
import dev.waybill.load.ServiceClient.Answer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** Looks at every order and every shelf afterwards: legal final states, stock = received - reserved, complete flows. */
final class Audit {

    /** States in which an order may rest. CREATED is none: its stock event is still to come. */
    enum Rest {
        STOCK_RESERVED,
        STOCK_FAILED,
        CANCELED
    }

    static final int WAREHOUSE = 1;

    private final ServiceClient orders;
    private final ServiceClient inventory;
    private final List<String> findings = new ArrayList<>();
    private final Map<Rest, Integer> rests = new EnumMap<>(Rest.class);
    private final Map<Long, Long> reserved = new HashMap<>();

    Audit(ServiceClient orders, ServiceClient inventory) {
        this.orders = orders;
        this.inventory = inventory;
    }

    List<String> findings() {
        return List.copyOf(findings);
    }

    Map<Rest, Integer> rests() {
        return Map.copyOf(rests);
    }

    /** Whether the order has come to rest, and where a granted cancel left it. */
    boolean rests(PlacedOrder placed) throws InterruptedException {
        String status = status(placed);
        return isRest(status) && (placed.cancel() != Cancel.GRANTED || status.equals(Rest.CANCELED.name()));
    }

    private String status(PlacedOrder placed) throws InterruptedException {
        return orders.get("/orders/" + placed.orderNo()).data().path("status").asString("");
    }

    private static boolean isRest(String status) {
        return List.of(Rest.values()).stream().anyMatch(rest -> rest.name().equals(status));
    }

    void order(PlacedOrder placed) throws InterruptedException {
        String status = status(placed);
        if (!isRest(status)) {
            findings.add("order " + placed.orderNo() + " rests in '" + status + "'");
            return;
        }
        if (placed.cancel() == Cancel.GRANTED && !status.equals(Rest.CANCELED.name())) {
            findings.add("order " + placed.orderNo() + " was cancelled and is " + status);
        }
        if (placed.cancel() == Cancel.REFUSED && !status.equals(Rest.STOCK_FAILED.name())) {
            findings.add("the cancel of " + placed.orderNo() + " was refused, but the order is " + status);
        }
        rests.merge(Rest.valueOf(status), 1, Integer::sum);
        if (status.equals(Rest.STOCK_RESERVED.name())) {
            for (Item item : placed.items()) {
                reserved.merge(item.skuId(), (long) item.quantity(), Long::sum);
            }
        }
        flow(placed, status);
    }

    /** The moves that were not ignored lead from nothing to the order's status, each from where the last one ended. */
    private void flow(PlacedOrder placed, String status) throws InterruptedException {
        Answer answer = orders.get("/orders/" + placed.orderNo() + "/flow");
        String at = "";
        for (JsonNode row : answer.data()) {
            if (!row.path("ignoredReason").asString("").isEmpty()) {
                continue;
            }
            String from = row.path("fromStatus").asString("");
            if (!from.equals(at)) {
                findings.add(
                        "the flow of " + placed.orderNo() + " goes on from '" + from + "', but was at '" + at + "'");
            }
            at = row.path("toStatus").asString("");
        }
        if (!at.equals(status)) {
            findings.add("the flow of " + placed.orderNo() + " ends at '" + at + "', the order is " + status);
        }
    }

    /** After all orders; what was cancelled last may still be on its way back, and is waited for. */
    void shelf(long skuId, long received, long endNanos) throws InterruptedException {
        long expected = reserved.getOrDefault(skuId, 0L);
        while (true) {
            JsonNode shelf =
                    inventory.get("/inventory/" + WAREHOUSE + "/" + skuId).data();
            long available = shelf.path("available").asLong(-1);
            long held = shelf.path("reserved").asLong(-1);
            if (held == expected && available == received - expected) {
                return;
            }
            if (System.nanoTime() > endNanos) {
                findings.add("sku " + skuId + ": received " + received + ", orders hold " + expected
                        + ", but available is " + available + " and reserved " + held);
                return;
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }
}
