package dev.waybill.starter.redis;

import dev.waybill.inbox.DoneCache;
import dev.waybill.redis.RedisLink;
import dev.waybill.starter.InboxProperties;
import dev.waybill.starter.InboxProperties.RedisShortcut;
import dev.waybill.starter.StartUpException;
import dev.waybill.starter.WaybillAutoConfiguration;
import dev.waybill.starter.WaybillProperties;
import java.time.Duration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/** The shortcut, where the application asks for it. */
@AutoConfiguration(after = WaybillAutoConfiguration.class)
@ConditionalOnProperty("waybill.inbox.redis-shortcut.enabled")
public final class RedisShortcutAutoConfiguration {

    private static final String SHARED_PREFIX = "waybill:done:";
    private static final String PREFIX = "waybill.inbox.redis-shortcut.";

    @Bean
    @ConditionalOnMissingBean(DoneCache.class)
    DoneCache waybillRedisShortcut(WaybillProperties properties, Environment environment, ResourceLoader resources) {
        if (!ClassUtils.isPresent("dev.waybill.redis.RedisLink", resources.getClassLoader())) {
            throw refused("enabled", "the Redis module is not on the class path", "Add dev.waybill:waybill-redis");
        }
        return open(properties.inbox(), environment.getProperty("spring.application.name", ""));
    }

    private static DoneCache open(InboxProperties inbox, String application) {
        RedisShortcut shortcut = inbox.redisShortcut();
        if (!isPositive(shortcut.timeout())) {
            throw refused("timeout", "a question needs some time", "Set it to more than zero");
        }
        if (!isPositive(shortcut.ttl()) || shortcut.ttl().compareTo(inbox.retention()) > 0) {
            throw refused(
                    "ttl",
                    "Redis would remember nothing, or what the database has forgotten",
                    "Set it to at most waybill.inbox.retention");
        }
        String uri = shortcut.uri();
        if (uri == null || !RedisLink.isAddress(uri)) {
            throw refused("uri", "it is no Redis address", "Set it to redis://host:6379, with :password@ where needed");
        }
        if (application.isBlank() && shortcut.keyPrefix().equals(SHARED_PREFIX)) {
            throw refused(
                    "key-prefix",
                    "a yes from Redis is believed, and without a name another service's events could pass for this one's",
                    "Set spring.application.name, or a prefix that no other service and no other environment uses");
        }
        String prefix = shortcut.keyPrefix() + (application.isBlank() ? "" : application + ":");
        return new RedisDoneCache(uri, prefix, shortcut.ttl(), shortcut.timeout());
    }

    private static boolean isPositive(Duration duration) {
        return !duration.isNegative() && !duration.isZero();
    }

    private static StartUpException refused(String name, String rule, String fix) {
        String property = PREFIX + name;
        return new StartUpException(
                property, property + " cannot be used: " + rule + ".", fix + ": " + property + ".", null);
    }
}
