package dev.waybill.starter.redis;

import dev.waybill.inbox.DoneCache;
import dev.waybill.starter.InboxProperties;
import dev.waybill.starter.InboxProperties.RedisShortcut;
import dev.waybill.starter.StartUpException;
import dev.waybill.starter.WaybillAutoConfiguration;
import dev.waybill.starter.WaybillProperties;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** The shortcut, where the application asks for it. */
@AutoConfiguration(after = WaybillAutoConfiguration.class)
@ConditionalOnProperty("waybill.inbox.redis-shortcut.enabled")
public final class RedisShortcutAutoConfiguration {

    private static final String SHARED_PREFIX = "waybill:done:";
    private static final String PREFIX = "waybill.inbox.redis-shortcut.";

    @Bean
    @ConditionalOnMissingBean(DoneCache.class)
    DoneCache waybillRedisShortcut(WaybillProperties properties, Environment environment) {
        if (!ClassUtils.isPresent("io.lettuce.core.RedisClient", getClass().getClassLoader())) {
            throw refused("enabled", "Lettuce is not on the class path", "Add io.lettuce:lettuce-core");
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
        RedisURI uri = uri(shortcut);
        if (application.isBlank() && shortcut.keyPrefix().equals(SHARED_PREFIX)) {
            throw refused(
                    "key-prefix",
                    "a yes from Redis is believed, and without a name another service's events could pass for this one's",
                    "Set spring.application.name, or a prefix that no other service and no other environment uses");
        }
        String prefix = shortcut.keyPrefix() + (application.isBlank() ? "" : application + ":");
        return new RedisDoneCache(uri, prefix, shortcut.ttl(), shortcut.timeout());
    }

    private static RedisURI uri(RedisShortcut shortcut) {
        String uri = shortcut.uri();
        try {
            return RedisURI.create(uri == null ? "" : uri);
        } catch (IllegalArgumentException e) {
            // the parser's own words are left out: they hold the password
            throw refused("uri", "it is no Redis address", "Set it to redis://host:6379, with :password@ where needed");
        }
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
