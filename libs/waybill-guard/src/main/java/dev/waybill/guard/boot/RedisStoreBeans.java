package dev.waybill.guard.boot;

import dev.waybill.guard.idempotent.IdempotencyStore;
import dev.waybill.guard.idempotent.RedisKeys;
import dev.waybill.guard.ratelimit.BucketStore;
import dev.waybill.guard.ratelimit.RedisBuckets;
import dev.waybill.guard.store.RedisLink;
import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

/** The stores of a service that names its Redis. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("waybill.guard.redis.uri")
class RedisStoreBeans {

    @Bean
    @ConditionalOnMissingBean
    RedisLink guardRedisLink(GuardSettings settings) {
        if (!ClassUtils.isPresent("io.lettuce.core.RedisClient", getClass().getClassLoader())) {
            throw new IllegalStateException(
                    "waybill.guard.redis.uri is set, but io.lettuce:lettuce-core is not on the class path");
        }
        String uri = Objects.requireNonNull(settings.redis().uri(), "the condition saw it");
        RedisLink link = open(uri, settings);
        link.tryConnect();
        return link;
    }

    private static RedisLink open(String uri, GuardSettings settings) {
        try {
            return new RedisLink(uri, settings.redis().timeout());
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("waybill.guard.redis.uri is no Redis address such as redis://host:6379", e);
        }
    }

    @Bean
    @ConditionalOnMissingBean
    BucketStore redisBuckets(RedisLink redis) {
        return new RedisBuckets(redis);
    }

    @Bean
    @ConditionalOnMissingBean
    IdempotencyStore redisKeys(RedisLink redis) {
        return new RedisKeys(redis);
    }
}
