package dev.waybill.guard.boot;

import dev.waybill.redis.RedisLink;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The stores of a service that sets {@code waybill.guard.redis.uri}. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("waybill.guard.redis.uri")
class RedisStoreBeans {

    /** Stops the start-up: without the module the stores would be in-process, which the settings do not ask for. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("dev.waybill.redis.RedisLink")
    static class WithoutRedisModule {

        WithoutRedisModule() {
            throw new IllegalStateException(
                    "waybill.guard.redis.uri is set, but dev.waybill:waybill-redis is not on the class path");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RedisLink.class)
    static class WithRedisModule {

        @Bean
        @ConditionalOnMissingBean
        RedisLink guardRedisLink(GuardSettings settings) {
            String uri = settings.redis().uri();
            if (uri == null || !RedisLink.isAddress(uri)) {
                throw new IllegalStateException(
                        "waybill.guard.redis.uri is no Redis address such as redis://host:6379");
            }
            RedisLink link = new RedisLink(uri, settings.redis().timeout());
            link.tryConnect();
            return link;
        }

        @Bean
        @ConditionalOnMissingBean
        BucketStore redisBuckets(RedisLink redis) {
            return new RedisBucketStore(redis);
        }

        @Bean
        @ConditionalOnMissingBean
        IdempotencyStore redisKeys(RedisLink redis) {
            return new RedisIdempotencyStore(redis);
        }
    }
}
