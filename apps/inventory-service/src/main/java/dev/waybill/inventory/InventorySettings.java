package dev.waybill.inventory;

import dev.waybill.redis.RedisLink;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Everything under {@code inventory}.
 *
 * @param orderTopic the topic of the orders' events
 * @param group the consumer group under which events count as handled
 */
@ConfigurationProperties("inventory")
public record InventorySettings(
        @DefaultValue("ORDER_TOPIC") String orderTopic,
        @DefaultValue("inventory-service") String group,
        @DefaultValue Gate gate,
        @DefaultValue Reconcile reconcile) {

    /**
     * The stock gate.
     *
     * @param keyPrefix what its Redis keys begin with
     * @param lease how long stock stays held for an order whose process died
     */
    public record Gate(
            @DefaultValue Redis redis,
            @DefaultValue("inv:") String keyPrefix,
            @DefaultValue("30s") Duration lease) {
        public Gate {
            requirePositive(lease, "gate.lease");
        }
    }

    /** The gate's Redis. Without an address there is no gate, and the rows alone decide. */
    public record Redis(
            @Nullable String uri, @DefaultValue("2s") Duration timeout) {
        public Redis {
            requirePositive(timeout, "gate.redis.timeout");
            uri = uri == null || uri.isBlank() ? null : uri;
            if (uri != null && !RedisLink.isAddress(uri)) {
                throw new IllegalStateException(
                        "inventory.gate.redis.uri is no Redis address such as redis://host:6379");
            }
        }

        /** A new link, if there is an address. A Redis that is away is waited for in the background. */
        public @Nullable RedisLink link() {
            if (uri == null) {
                return null;
            }
            RedisLink link = new RedisLink(uri, timeout);
            link.tryConnect();
            return link;
        }

        /** Without the address, which may hold a password. */
        @Override
        public String toString() {
            return "Redis[timeout=" + timeout + "]";
        }
    }

    /**
     * The reconciler.
     *
     * @param interval pause between two passes
     * @param overlap how far a pass reaches back before the last one
     * @param batch rows compared at a time
     */
    public record Reconcile(
            @DefaultValue("2s") Duration interval,
            @DefaultValue("10s") Duration overlap,
            @DefaultValue("1000") int batch) {
        public Reconcile {
            requirePositive(interval, "reconcile.interval");
            requirePositive(overlap, "reconcile.overlap");
            if (batch < 1) {
                throw new IllegalStateException("inventory.reconcile.batch must be at least 1: " + batch);
            }
        }
    }

    private static void requirePositive(Duration value, String property) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalStateException("inventory." + property + " must be longer than nothing: " + value);
        }
    }
}
