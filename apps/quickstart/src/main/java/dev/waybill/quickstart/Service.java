package dev.waybill.quickstart;

import dev.waybill.inventory.InventoryService;
import dev.waybill.marketplace.Marketplace;
import dev.waybill.order.OrderService;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** The services that exist, in the order in which they start: who consumes first is there when the first event comes. */
enum Service {
    INVENTORY("inventory-service", 8082),
    ORDER("order-service", 8081),
    MARKETPLACE("marketplace", 8083);

    final String title;
    final int standardPort;

    Service(String title, int standardPort) {
        this.title = title;
        this.standardPort = standardPort;
    }

    SpringApplicationBuilder application() {
        return switch (this) {
            case INVENTORY -> InventoryService.application();
            case ORDER -> OrderService.application();
            case MARKETPLACE -> Marketplace.application();
        };
    }

    /** The option that moves it to another port. */
    String portProperty() {
        return title + ".port";
    }
}
