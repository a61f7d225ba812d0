package dev.waybill.inventory;

import dev.waybill.servers.Database;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** The settings of a service on real servers, with a database, topics and a Redis database of its own. */
record RealServers(Database database, String redisUrl, String nameServer, String own) {

    static RealServers of(Database database, Redis redis, RocketMq rocketMq, int redisDatabase) {
        RealServers servers = new RealServers(
                database,
                redis.url() + "/" + redisDatabase,
                rocketMq.nameServer(),
                UUID.randomUUID().toString().substring(0, 8));
        rocketMq.createTopic(servers.orderTopic());
        rocketMq.createTopic(servers.stockTopic());
        return servers;
    }

    String orderTopic() {
        return "ORDER_TOPIC-" + own;
    }

    String stockTopic() {
        return "STOCK_TOPIC-" + own;
    }

    Map<String, Object> settings() {
        Map<String, Object> settings = new HashMap<>();
        settings.put("spring.profiles.active", "real");
        settings.put("server.port", 0);
        settings.put("spring.datasource.url", database.jdbcUrl());
        settings.put("spring.datasource.username", database.user());
        settings.put("spring.datasource.password", database.password());
        settings.put("waybill.guard.redis.uri", redisUrl);
        settings.put("waybill.rocketmq.name-server", nameServer);
        settings.put("waybill.routes.StockReserved.topic", stockTopic());
        settings.put("waybill.routes.StockReserveFailed.topic", stockTopic());
        settings.put("inventory.order-topic", orderTopic());
        settings.put("inventory.group", "inventory-" + own);
        settings.put("inventory.gate.lease", "2s");
        settings.put("inventory.reconcile.interval", "50ms");
        return settings;
    }
}
