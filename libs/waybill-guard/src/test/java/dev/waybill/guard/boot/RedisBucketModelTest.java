package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.waybill.guard.boot.TokenBucketModelTest.Model;
import dev.waybill.guard.boot.TokenBucketModelTest.Scenario;
import dev.waybill.guard.boot.TokenBucketModelTest.Step;
import dev.waybill.guard.running.RedisDirect;
import dev.waybill.redis.LuaScript;
import dev.waybill.redis.RedisLink;
import dev.waybill.servers.PrivateServers;
import dev.waybill.servers.Redis;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** The Lua script against the same model. Redis's clock rules: gaps are made by moving the bucket's last refill back. */
class RedisBucketModelTest {

    private static final LuaScript TAKE = LuaScript.load(RedisBucketStore.class, "take_tokens.lua");

    private static PrivateServers servers;
    private static RedisLink link;
    private static RedisDirect direct;

    @BeforeContainer
    static void connect() {
        servers = PrivateServers.open();
        Redis redis = servers.redis();
        link = new RedisLink(redis.url(), Duration.ofSeconds(5));
        direct = new RedisDirect(redis);
    }

    @AfterContainer
    static void cleanUp() {
        direct.removeAll("ratelimit:test:*");
        direct.close();
        link.close();
        servers.close();
    }

    @Property(tries = 200)
    void theScriptFollowsTheModel(@ForAll("scenarios") Scenario scenario) {
        follow(scenario);
    }

    @Provide
    Arbitrary<Scenario> scenarios() {
        return TokenBucketModelTest.scenarios(30);
    }

    private static void follow(Scenario scenario) {
        String key = BucketStoreContract.key();
        Model model = new Model(scenario.bucket());
        long lastNow = -1;
        for (Step step : scenario.steps()) {
            if (lastNow >= 0 && direct.commands().exists(key) == 1) {
                direct.commands().hincrby(key, "lastRefillTime", -step.gapMillis());
            }
            boolean known = direct.commands().exists(key) == 1;
            long last = known ? Long.parseLong(direct.commands().hget(key, "lastRefillTime")) : -1;
            double held = known
                    ? Double.parseDouble(direct.commands().hget(key, "tokens"))
                    : scenario.bucket().capacity();
            List<Object> reply = link.run(
                    TAKE,
                    key,
                    Double.toString(scenario.bucket().rate()),
                    Long.toString(scenario.bucket().capacity()),
                    Long.toString(step.cost()),
                    Long.toString(step.cost() + step.extra()),
                    Long.toString(scenario.bucket().timeToLiveMillis()));
            long now = (Long) reply.get(3);
            // The model starts from what Redis held, because a refusal writes nothing and the refill is counted from
            // the last grant.
            model.holds(known ? held : scenario.bucket().capacity());
            model.pass(known ? now - last : 0);
            long taken = (Long) reply.get(0);
            TakeResult take = taken > 0
                    ? new TakeResult.Granted(taken, (Long) reply.get(1))
                    : new TakeResult.Refused((Long) reply.get(1), (Long) reply.get(2));
            model.check(step, take);
            if (taken > 0) {
                assertThat(model.tokensNow())
                        .isCloseTo(Double.parseDouble(direct.commands().hget(key, "tokens")), within(1e-4));
            }
            lastNow = now;
        }
    }
}
