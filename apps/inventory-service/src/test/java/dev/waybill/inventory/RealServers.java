package dev.waybill.inventory;

import dev.waybill.servers.Database;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.servicetestkit.OrderFlowTopics;
import dev.waybill.servicetestkit.ServiceSettings;

/** The settings of a service on real servers, with a database, topics and a Redis database of its own. */
record RealServers(Database database, String redisUrl, OrderFlowTopics topics) {

    static RealServers of(Database database, Redis redis, RocketMq rocketMq, int redisDatabase) {
        return new RealServers(database, redis.url() + "/" + redisDatabase, OrderFlowTopics.create(rocketMq));
    }

    ServiceSettings settings() {
        return topics.addToInventory(ServiceSettings.onDatabase(database))
                .set("waybill.guard.redis.uri", redisUrl)
                .set("inventory.gate.lease", "2s")
                .set("inventory.reconcile.interval", "50ms");
    }
}
