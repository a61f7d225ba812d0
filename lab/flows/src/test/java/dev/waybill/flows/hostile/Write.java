package dev.waybill.flows.hostile;

import java.util.Map;
import java.util.TreeMap;

/** A write that one of the services offers, its proper request, and where its effect is found afterwards. */
record Write(Kind kind, String id) {

    /** The writes of all services; each carries its id into a table. */
    enum Kind {
        ORDER("order", "/orders", "SELECT client_request_id FROM t_order", """
            {"clientRequestId":"%s","userId":7,"items":[{"skuId":"tea","quantity":1,"price":9.5}]}\
            """),
        RECEIPT("inventory", "/inventory/receive", "SELECT biz_key FROM t_inventory_txn", """
            {"warehouseId":1,"skuId":"tea","quantity":1}\
            """),
        PRODUCT("marketplace", "/products", "SELECT title FROM products", """
            {"sellerId":1,"title":"%s","price":12.25}\
            """),
        DEMO("guard-demo", "/demo/idempotent", "", """
            {"item":"%s","quantity":1}\
            """);

        final String service;
        final String path;
        final String effects;
        private final String body;

        Kind(String service, String path, String effects, String body) {
            this.service = service;
            this.path = path;
            this.effects = effects;
            this.body = body;
        }
    }

    String body() {
        return kind.body.replace("%s", id);
    }

    Map<String, String> headers() {
        return new TreeMap<>(Map.of("Host", "127.0.0.1", "Content-Type", "application/json", "X-Idempotency-Key", id));
    }
}
