package dev.waybill.inventory.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inventory.domain.HoldResult;
import dev.waybill.inventory.domain.Line;
import dev.waybill.inventory.domain.OrderLines;
import dev.waybill.inventory.domain.StockComparison;
import dev.waybill.inventory.domain.StockGate;
import dev.waybill.inventory.domain.StockKey;
import dev.waybill.inventory.domain.StockLevel;
import dev.waybill.redis.RedisLink;
import dev.waybill.servers.FaultProxy;
import dev.waybill.servers.Redis;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@Servers(Server.REDIS)
class RedisGateTest implements StockGateContract {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String PREFIX = UUID.randomUUID() + ":inv:";

    private static RedisLink link;
    private static RedisClient client;
    private static RedisCommands<String, String> direct;

    @BeforeAll
    static void connect(Redis redis) {
        link = new RedisLink(redis.url(), TIMEOUT);
        client = RedisClient.create(redis.url());
        direct = client.connect().sync();
    }

    @AfterAll
    static void disconnect() {
        link.close();
        direct.keys(PREFIX + "*").forEach(direct::del);
        client.shutdown();
    }

    @Override
    public StockGate gate(Duration lease) {
        return new RedisGate(link, PREFIX, lease);
    }

    @Test
    void theKeyIsTheSpecifications() {
        StockKey key = new StockKey(7, "TEA-1");
        new RedisGate(link, PREFIX, LONG).learn(List.of(new StockLevel(key, 5, 0, 1)));
        assertThat(direct.hget(PREFIX + "7:TEA-1", "available")).isEqualTo("5");
    }

    @Test
    void whatSomebodyElseWroteThereIsLostAndRebuilt() {
        StockGate gate = gate(LONG);
        StockKey key = new StockKey(7, "FOREIGN-1");
        StockLevel level = new StockLevel(key, 5, 0, 1);
        OrderLines basket = new OrderLines("A", List.of(new Line(key, 1)));
        for (String foreign : List.of("a string", "a list", "no numbers")) {
            direct.del(PREFIX + key);
            switch (foreign) {
                case "a string" -> direct.set(PREFIX + key, "5");
                case "a list" -> direct.rpush(PREFIX + key, "5");
                default -> direct.hset(PREFIX + key, "available", "many");
            }
            assertThat(gate.tryReserve(basket)).as(foreign).isInstanceOf(HoldResult.Unknown.class);
            assertThat(gate.look(key)).as(foreign).isEmpty();
            gate.learn(List.of(level));
            assertThat(gate.tryReserve(basket)).as(foreign).isEqualTo(new HoldResult.Held());
            gate.giveBack("A", List.of(key));
        }
        direct.hincrby(PREFIX + key, "held", 3);
        assertThat(gate.compare(List.of(level)))
                .extracting(StockComparison::verdict)
                .containsOnly(StockComparison.Verdict.DRIFTED);
        assertThat(gate.look(key).orElseThrow().held()).isZero();
    }

    @Test
    void aRedisThatIsAwayIsToldApartFromAnEmptyOne(Redis redis) {
        try (FaultProxy proxy = FaultProxy.to(redis);
                RedisLink through = new RedisLink(
                        "redis://:" + redis.password() + "@" + proxy.host() + ":" + proxy.port(),
                        Duration.ofSeconds(2))) {
            StockGate gate = new RedisGate(through, PREFIX, LONG);
            assertThat(gate.answers()).isTrue();
            proxy.refuse();
            assertThat(gate.answers()).isFalse();
        }
    }
}
