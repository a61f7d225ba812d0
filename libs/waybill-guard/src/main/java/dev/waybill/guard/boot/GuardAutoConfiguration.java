package dev.waybill.guard.boot;

import dev.waybill.guard.boot.RateLimiter.SliceSettings;
import dev.waybill.guard.web.CallerIdentity;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import tools.jackson.databind.json.JsonMapper;

/**
 * Configures the guards: stores, aspects, answers, trace and metrics.
 *
 * <p>A bean of the application of type {@code CallerIdentity}, {@code RedisLink} or {@code ErrorController} replaces the
 * default one.
 */
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
    NegotiationBeans.class,
    TomcatBeans.class,
    OpenApiBeans.class,
    TraceBeans.class,
    MeterBeans.class
})
public class GuardAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    CallerIdentity callerIdentity() {
        return new PrincipalIdentity();
    }

    @Bean
    @ConditionalOnMissingBean
    RateLimiter rateLimiter(BucketStore store, GuardSettings settings, ObjectProvider<GuardMeter> meter) {
        int maxKeys = settings.inProcess().maxKeys();
        BucketStore local = store instanceof InProcessBucketStore
                ? store
                : new InProcessBucketStore(maxKeys, MonotonicClock.start());
        SliceSettings slices = new SliceSettings(
                settings.ratelimit().sliceLifetime(), settings.redis().timeout(), maxKeys);
        return new RateLimiter(store, local, slices, meter.getIfAvailable(GuardMeter::none));
    }

    @Bean
    RateLimitPlans limitPlans(GuardSettings settings, CallerIdentity callers) {
        return new RateLimitPlans(
                settings.ratelimit().apis(), settings.ratelimit().whenDown(), callers);
    }

    @Bean
    IdempotentPlans idempotentPlans(GuardSettings settings) {
        return new IdempotentPlans(settings.idempotent().lease());
    }

    @Bean
    KeyLeaseRenewer keyLeaseRenewer(IdempotencyStore store, GuardSettings settings) {
        return new KeyLeaseRenewer(store, settings.idempotent().longestRun());
    }

    @Bean
    BodyDigestAdvice bodyDigests(GuardSettings settings) {
        return new BodyDigestAdvice(settings.requests().largestBody().toBytes());
    }

    @Bean
    RequestFingerprints requestFingerprints(CallerIdentity callers, JsonMapper json) {
        return new RequestFingerprints(callers, json);
    }

    @Bean
    StoreAvailability keyStoreAvailability(ObjectProvider<GuardMeter> meter) {
        return new StoreAvailability("idempotent", meter.getIfAvailable(GuardMeter::none));
    }

    @Bean
    IdempotentRunner idempotentRunner(
            IdempotencyStore store,
            KeyLeaseRenewer leases,
            JsonMapper json,
            GuardSettings settings,
            StoreAvailability availability,
            ObjectProvider<GuardMeter> meter) {
        GuardSettings.Idempotency set = settings.idempotent();
        return new IdempotentRunner(
                store,
                leases,
                json,
                new IdempotentRunner.ResultRetention(set.keep(), set.largestResult()),
                availability,
                meter.getIfAvailable(GuardMeter::none));
    }

    @Bean
    GuardStartupCheck guardStartupCheck(
            ConfigurableListableBeanFactory beans, RateLimitPlans limits, IdempotentPlans idempotents) {
        return new GuardStartupCheck(beans, limits, idempotents);
    }
}
