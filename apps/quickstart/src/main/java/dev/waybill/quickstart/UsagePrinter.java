package dev.waybill.quickstart;

import java.io.PrintStream;
import java.util.List;
import java.util.function.Function;

/** Prints the addresses and the first commands to try. */
final class UsagePrinter {

    private UsagePrinter() {}

    static void print(PrintStream out, Function<Service, String> address, String data) {
        out.println();
        for (Service service : Service.values()) {
            out.printf(
                    "  %-18s %s   OpenAPI: %s/swagger-ui.html%n",
                    service.title, address.apply(service), address.apply(service));
        }
        out.println("  data               " + data);
        out.println();
        out.println("Try: goods arrive, somebody orders two, the order finds its stock.");
        lines(address).forEach(line -> out.println("  " + line));
        out.println("Or: somebody sells a bicycle, somebody else orders it (with the id that the first line answers).");
        marketLines(address).forEach(line -> out.println("  " + line));
        out.println();
    }

    private static List<String> marketLines(Function<Service, String> address) {
        String json = "-H 'Content-Type: application/json'";
        String market = address.apply(Service.MARKETPLACE);
        return List.of(
                "curl -s " + market + "/products " + json
                        + " -d '{\"sellerId\":10002,\"title\":\"bicycle\",\"price\":88.50}'",
                "curl -s " + market + "/orders " + json + " -d '{\"buyerId\":10001,\"productId\":1}'",
                "curl -s " + market + "/products/1/inventory");
    }

    private static List<String> lines(Function<Service, String> address) {
        String json = "-H 'Content-Type: application/json'";
        return List.of(
                "curl -s " + address.apply(Service.INVENTORY) + "/inventory/receive " + json
                        + " -H 'X-Idempotency-Key: first-goods' -d '{\"warehouseId\":1,\"skuId\":1001,\"quantity\":100}'",
                "curl -s " + address.apply(Service.ORDER) + "/orders " + json
                        + " -d '{\"clientRequestId\":\"first-order\",\"userId\":1,\"items\":[{\"skuId\":1001,\"quantity\":2,\"price\":9.90}]}'",
                "curl -s '" + address.apply(Service.ORDER) + "/orders?userId=1'");
    }
}
