package dev.waybill.quickstart;

import dev.waybill.inventory.InventoryApplication;
import dev.waybill.marketplace.MarketplaceApplication;
import dev.waybill.order.OrderApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** The services, in the order in which they start: the inventory consumes the orders' first events, so it starts first. */
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
            case INVENTORY -> InventoryApplication.application();
            case ORDER -> OrderApplication.application();
            case MARKETPLACE -> MarketplaceApplication.application();
        };
    }

    /** The option that moves it to another port. */
    String portProperty() {
        return title + ".port";
    }
}
