package dev.waybill.guard.boot;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The stores of a service that does not set {@code waybill.guard.redis.uri}. */
@Configuration(proxyBeanMethods = false)
class InProcessStoreBeans {

    private static final Logger log = LoggerFactory.getLogger(InProcessStoreBeans.class);

    @Bean
    @ConditionalOnMissingBean
    BucketStore inProcessBuckets(GuardSettings settings) {
        log.info("[Guard] no waybill.guard.redis.uri: limits and idempotency keys count for this process only");
        return new InProcessBucketStore(settings.inProcess().maxKeys(), MonotonicClock.start());
    }

    @Bean
    @ConditionalOnMissingBean
    IdempotencyStore inProcessKeys(GuardSettings settings) {
        BoundedExpiringMap.Bounds bounds = new BoundedExpiringMap.Bounds(
                settings.inProcess().maxKeys(),
                settings.inProcess().maxResultBytes().toBytes());
        return new InProcessIdempotencyStore(bounds, MonotonicClock.start());
    }
}
