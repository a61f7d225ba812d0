package dev.waybill.flows.rights;

import dev.waybill.inventory.InventoryApplication;
import dev.waybill.marketplace.MarketplaceApplication;
import dev.waybill.memory.MemoryBroker;
import dev.waybill.order.OrderApplication;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.servicetestkit.HttpCalls;
import dev.waybill.servicetestkit.OrderFlowTopics;
import dev.waybill.servicetestkit.RabbitMqVhost;
import dev.waybill.servicetestkit.RunningService;
import dev.waybill.servicetestkit.ServiceSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.springframework.context.support.GenericApplicationContext;

/** All services in this JVM. */
record ThreeServices(RunningService orders, RunningService inventory, RunningService market) implements AutoCloseable {

    private static final int REDIS_DATABASE = 10;

    /** As {@code ./dev run} starts them, with these settings for each. */
    static ThreeServices embedded(Path folder, String... settings) {
        MemoryBroker broker = new MemoryBroker();
        Consumer<GenericApplicationContext> shared =
                beans -> beans.registerBean("sharedBroker", MemoryBroker.class, () -> broker);
        return new ThreeServices(
                new RunningService(OrderApplication.application(), embeddedSettings(folder, settings), shared),
                new RunningService(InventoryApplication.application(), embeddedSettings(folder, settings), shared),
                new RunningService(MarketplaceApplication.application(), embeddedSettings(folder, settings), shared));
    }

    private static ServiceSettings embeddedSettings(Path folder, String... settings) {
        return quiet(ServiceSettings.embedded(folder)).change(settings);
    }

    /** As {@code ./dev run --real} starts them. */
    static ThreeServices real(MariaDb sql, Redis redis, RocketMq rocketMq, RabbitMqVhost rabbitMq) {
        OrderFlowTopics topics = OrderFlowTopics.create(rocketMq);
        String redisUrl = redis.url() + "/" + REDIS_DATABASE;
        return new ThreeServices(
                new RunningService(
                        OrderApplication.application(),
                        topics.addToOrderService(onDatabase(sql).redis(redisUrl))),
                new RunningService(
                        InventoryApplication.application(),
                        topics.addToInventory(onDatabase(sql).redis(redisUrl))),
                new RunningService(MarketplaceApplication.application(), rabbitMq.addTo(onDatabase(sql))));
    }

    private static ServiceSettings onDatabase(MariaDb sql) {
        return quiet(ServiceSettings.onDatabase(sql.freshDatabase()));
    }

    private static ServiceSettings quiet(ServiceSettings settings) {
        return settings.set("spring.main.banner-mode", "off")
                .set("logging.level.root", "warn")
                .set("management.endpoint.health.show-details", "always");
    }

    List<HttpCalls> all() {
        return List.of(orders, inventory, market);
    }

    @Override
    public void close() {
        all().forEach(service -> ((RunningService) service).close());
    }
}
