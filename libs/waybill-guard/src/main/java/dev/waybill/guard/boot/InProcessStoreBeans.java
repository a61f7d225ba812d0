package dev.waybill.guard.boot;

import dev.waybill.guard.idempotent.IdempotencyStore;
import dev.waybill.guard.idempotent.InProcessKeys;
import dev.waybill.guard.ratelimit.BucketStore;
import dev.waybill.guard.ratelimit.InProcessBuckets;
import dev.waybill.guard.store.Ticks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The stores of a service that names no Redis. */
@Configuration(proxyBeanMethods = false)
class InProcessStoreBeans {

    private static final Logger log = LoggerFactory.getLogger(InProcessStoreBeans.class);

    @Bean
    @ConditionalOnMissingBean
    BucketStore inProcessBuckets(GuardSettings settings) {
        log.info("[Guard] no waybill.guard.redis.uri: limits and idempotency keys count for this process only");
        return new InProcessBuckets(settings.inProcess().maxKeys(), Ticks.monotonic());
    }

    @Bean
    @ConditionalOnMissingBean
    IdempotencyStore inProcessKeys(GuardSettings settings) {
        return new InProcessKeys(settings.inProcess().maxKeys(), Ticks.monotonic());
    }
}
