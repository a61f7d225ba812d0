package dev.waybill.quickstart;

import dev.waybill.guarddemo.GuardDemo;
import dev.waybill.inventory.InventoryApplication;
import dev.waybill.marketplace.MarketplaceApplication;
import dev.waybill.order.OrderApplication;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** The services, in the order in which they start: the inventory consumes the orders' first events, so it starts first. */
enum Service {
    INVENTORY("inventory-service", 8082),
    ORDER("order-service", 8081),
    MARKETPLACE("marketplace", 8083),
    GUARD_DEMO("guard-demo", 8085);

    /** The demo has no database and no broker; those of the others are on the class path here. */
    private static final String NOT_FOR_THE_DEMO = String.join(
            ",",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration",
            "dev.waybill.starter.broker.BrokerAutoConfiguration",
            "dev.waybill.starter.WaybillAutoConfiguration",
            "dev.waybill.starter.inbox.InboxAutoConfiguration");

    final String title;
    final int standardPort;

    Service(String title, int standardPort) {
        this.title = title;
        this.standardPort = standardPort;
    }

    SpringApplicationBuilder application() {
        return switch (this) {
            case INVENTORY -> InventoryApplication.application();
            case ORDER -> OrderApplication.application();
            case MARKETPLACE -> MarketplaceApplication.application();
            case GUARD_DEMO -> GuardDemo.application();
        };
    }

    /** What a service needs among the others, beside what all of them get. */
    List<String> arguments(boolean real) {
        if (this != GUARD_DEMO) {
            return List.of();
        }
        String exclude = "--spring.autoconfigure.exclude=" + NOT_FOR_THE_DEMO;
        return real ? List.of(exclude, "--waybill.guard.redis.uri=${REDIS_URL}") : List.of(exclude);
    }

    /** The option that moves it to another port. */
    String portProperty() {
        return title + ".port";
    }

    static Optional<Service> named(String title) {
        return Arrays.stream(values())
                .filter(service -> service.title.equals(title))
                .findFirst();
    }

    static String titles() {
        return Arrays.stream(values()).map(service -> service.title).collect(Collectors.joining(", "));
    }
}
