package dev.waybill.quickstart;

import java.io.PrintStream;
import java.util.List;
import java.util.function.Function;

/** Prints the addresses, who may do what, and the first commands to try. */
final class UsagePrinter {

    private static final String JSON = " -H 'Content-Type: application/json'";

    private final PrintStream out;
    private final Function<Service, String> address;
    private final boolean real;

    UsagePrinter(PrintStream out, Function<Service, String> address, boolean real) {
        this.out = out;
        this.address = address;
        this.real = real;
    }

    void print(String data) {
        out.println();
        for (Service service : Service.values()) {
            out.printf("  %-18s %s%s%n", service.title, address.apply(service), openApi(service));
        }
        out.println("  data               " + data);
        out.println(
                real
                        ? "  access             bound to 127.0.0.1; every call needs a token of this checkout: ./dev token --user N, or"
                                + " --operator"
                        : "  access             open: whoever is on this machine may do everything; bound to 127.0.0.1");
        out.println();
        if (real) {
            out.println("First the tokens of those who act below:");
            tokens().forEach(line -> out.println("  " + line));
        }
        out.println("Try: goods arrive, somebody orders two, the order finds its stock.");
        lines().forEach(line -> out.println("  " + line));
        out.println("Or: somebody sells a bicycle, somebody else orders it (with the id that the first line answers).");
        marketLines().forEach(line -> out.println("  " + line));
        out.println();
    }

    /** In real mode the pages are off unless a service's setting switches them on. */
    private String openApi(Service service) {
        return real || service == Service.GUARD_DEMO
                ? ""
                : "   OpenAPI: " + address.apply(service) + "/swagger-ui.html";
    }

    private static List<String> tokens() {
        return List.of(
                "OPERATOR=$(./dev token --operator)",
                "CUSTOMER=$(./dev token --user 1)",
                "SELLER=$(./dev token --user 10002)",
                "BUYER=$(./dev token --user 10001)");
    }

    private String token(String of) {
        return real ? " -H \"Authorization: Bearer $" + of + "\"" : "";
    }

    private List<String> lines() {
        String orders = address.apply(Service.ORDER);
        return List.of(
                "curl -s " + address.apply(Service.INVENTORY) + "/inventory/receive" + token("OPERATOR") + JSON
                        + " -H 'X-Idempotency-Key: first-goods' -d '{\"warehouseId\":1,\"skuId\":1001,\"quantity\":100}'",
                "curl -s " + orders + "/orders" + token("CUSTOMER") + JSON
                        + " -d '{\"clientRequestId\":\"first-order\",\"userId\":1,\"items\":[{\"skuId\":1001,\"quantity\":2,\"price\":9.90}]}'",
                "curl -s '" + orders + "/orders?userId=1'" + token("CUSTOMER"));
    }

    private List<String> marketLines() {
        String market = address.apply(Service.MARKETPLACE);
        return List.of(
                "curl -s " + market + "/products" + token("SELLER") + JSON
                        + " -d '{\"sellerId\":10002,\"title\":\"bicycle\",\"price\":88.50}'",
                "curl -s " + market + "/orders" + token("BUYER") + JSON
                        + " -H 'X-Idempotency-Key: first-sale' -d '{\"buyerId\":10001,\"productId\":1}'",
                "curl -s " + market + "/products/1/inventory");
    }
}
