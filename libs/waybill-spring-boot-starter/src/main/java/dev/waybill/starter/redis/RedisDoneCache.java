package dev.waybill.starter.redis;

import dev.waybill.inbox.DoneCache;
import dev.waybill.message.LogText;
import dev.waybill.redis.RedisLink;
import dev.waybill.redis.RedisUnavailableException;
import dev.waybill.redis.RedisUnavailableException.Reason;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers handled events in Redis for a while. A question takes no longer than the time-out, and nobody waits for a
 * connection. After a question without an answer Redis is not asked for a second, and every event counts as not handled
 * meanwhile: the database decides. What is learned is sent without waiting.
 */
final class RedisDoneCache implements DoneCache, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RedisDoneCache.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** Longer than the time-out of a question: an attempt to connect goes on in the background, and no event waits for it. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    private final RedisLink redis;
    private final String keyPrefix;
    private final Duration ttl;
    private final AtomicBoolean silent = new AtomicBoolean();
    private volatile long askAgain = System.nanoTime();

    RedisDoneCache(String uri, String keyPrefix, Duration ttl, Duration timeout) {
        this.redis = new RedisLink(uri, timeout, CONNECT_TIMEOUT);
        this.keyPrefix = keyPrefix;
        this.ttl = ttl;
        redis.connectInBackground(); // now, so that the first event may find the connection open
    }

    @Override
    public boolean knows(String eventId, String group) {
        if (!canAsk()) {
            return false;
        }
        try {
            boolean known = redis.exists(key(eventId, group));
            if (silent.compareAndSet(true, false)) {
                log.info("[Inbox] Redis answers again");
            }
            return known;
        } catch (RedisUnavailableException e) {
            if (e.reason() != Reason.INTERRUPTED) {
                pause(e);
            }
            return false;
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits: for what is not learned the database is asked
    public void learn(String eventId, String group) {
        if (!canAsk()) {
            return;
        }
        try {
            redis.set(key(eventId, group), "1", ttl);
        } catch (RedisUnavailableException e) {
            pause(e);
        }
    }

    /** False during a pause, and until the link is connected. */
    private boolean canAsk() {
        return System.nanoTime() - askAgain >= 0 && redis.connectInBackground();
    }

    private void pause(RedisUnavailableException why) {
        askAgain = System.nanoTime() + PAUSE.toNanos();
        if (silent.compareAndSet(false, true)) {
            log.warn("[Inbox] Redis does not answer; the database decides alone until it does", LogText.thrown(why));
        }
    }

    /** The group's length is part of the key, so that no group and event id read like those of another group. */
    private String key(String eventId, String group) {
        return keyPrefix + group.length() + ":" + group + ":" + eventId;
    }

    @Override
    public void close() {
        redis.close();
    }
}
