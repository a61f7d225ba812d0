package dev.waybill.guard.boot;

import dev.waybill.guard.handler.CallerIdentity;
import dev.waybill.guard.idempotent.BodyDigests;
import dev.waybill.guard.idempotent.GuardedRuns;
import dev.waybill.guard.idempotent.IdempotencyStore;
import dev.waybill.guard.idempotent.IdempotentPlans;
import dev.waybill.guard.idempotent.LeaseKeeper;
import dev.waybill.guard.meter.GuardMeter;
import dev.waybill.guard.ratelimit.BucketStore;
import dev.waybill.guard.ratelimit.InProcessBuckets;
import dev.waybill.guard.ratelimit.LimitPlans;
import dev.waybill.guard.ratelimit.RateLimiter;
import dev.waybill.guard.ratelimit.RateLimiter.SliceSettings;
import dev.waybill.guard.store.Ticks;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import tools.jackson.databind.json.JsonMapper;

/** What the two aspects stand on. */
@AutoConfiguration(
        beforeName = "org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration",
        afterName = {
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration"
        })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@EnableConfigurationProperties(GuardSettings.class)
@Import({
    GuardAdvisors.class,
    RedisStoreBeans.class,
    InProcessStoreBeans.class,
    AnswerBeans.class,
    ApiPageBeans.class,
    TraceBeans.class,
    MeterBeans.class
})
public class GuardAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    CallerIdentity callerIdentity() {
        return CallerIdentity.principal();
    }

    @Bean
    @ConditionalOnMissingBean
    RateLimiter rateLimiter(BucketStore store, GuardSettings settings, ObjectProvider<GuardMeter> meter) {
        int maxKeys = settings.inProcess().maxKeys();
        BucketStore local =
                store instanceof InProcessBuckets ? store : new InProcessBuckets(maxKeys, Ticks.monotonic());
        SliceSettings slices = new SliceSettings(
                settings.ratelimit().sliceLifetime(), settings.redis().timeout(), maxKeys);
        return new RateLimiter(store, local, slices, meter.getIfAvailable(GuardMeter::none));
    }

    @Bean
    LimitPlans limitPlans(GuardSettings settings, CallerIdentity callers) {
        return new LimitPlans(settings.ratelimit().apis(), settings.ratelimit().whenDown(), callers);
    }

    @Bean
    IdempotentPlans idempotentPlans(GuardSettings settings) {
        return new IdempotentPlans(settings.idempotent().lease());
    }

    @Bean
    LeaseKeeper leaseKeeper(IdempotencyStore store, GuardSettings settings) {
        return new LeaseKeeper(store, settings.idempotent().longestRun());
    }

    @Bean
    BodyDigests bodyDigests() {
        return new BodyDigests();
    }

    @Bean
    GuardedRuns guardedRuns(
            IdempotencyStore store,
            LeaseKeeper leases,
            JsonMapper json,
            GuardSettings settings,
            ObjectProvider<GuardMeter> meter) {
        GuardSettings.Idempotency set = settings.idempotent();
        return new GuardedRuns(
                store,
                leases,
                json,
                new GuardedRuns.Keeping(set.keep(), set.largestResult()),
                meter.getIfAvailable(GuardMeter::none));
    }

    @Bean
    GuardStartupCheck guardStartupCheck(
            ConfigurableListableBeanFactory beans, LimitPlans limits, IdempotentPlans idempotents) {
        return new GuardStartupCheck(beans, limits, idempotents);
    }
}
