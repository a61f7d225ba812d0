package dev.waybill.starter.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.inbox.DoneCache;
import dev.waybill.memory.MemoryBroker;
import dev.waybill.message.BodyFormat;
import dev.waybill.message.Destination;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.redis.RedisLink;
import dev.waybill.servers.Redis;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.starter.StartUpException;
import dev.waybill.starter.WaybillAutoConfiguration;
import dev.waybill.starter.broker.BrokerAutoConfiguration;
import dev.waybill.starter.inbox.InboxAutoConfiguration;
import dev.waybill.starter.inbox.WaybillListener;
import dev.waybill.transport.Transport;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** The shortcut on a real Redis: there, gone, silent, and back. */
@Servers(Server.REDIS)
class RedisShortcutTest {

    private static final Duration TIMEOUT = Duration.ofMillis(200);

    private final String prefix = "waybill-test:" + UUID.randomUUID() + ":";

    private ApplicationContextRunner application(Redis redis) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        JdbcTemplateAutoConfiguration.class,
                        BrokerAutoConfiguration.class,
                        WaybillAutoConfiguration.class,
                        RedisShortcutAutoConfiguration.class,
                        InboxAutoConfiguration.class))
                .withBean(Handler.class)
                .withPropertyValues(
                        "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
                        "waybill.broker=memory",
                        "waybill.outbox.ddl=apply",
                        "waybill.inbox.ddl=apply",
                        "spring.application.name=shop",
                        "waybill.inbox.concurrency=1",
                        "waybill.inbox.retry-delays=10ms,10ms",
                        "waybill.inbox.redis-shortcut.enabled=true",
                        "waybill.inbox.redis-shortcut.uri=" + redis.url(),
                        "waybill.inbox.redis-shortcut.key-prefix=" + prefix,
                        "waybill.inbox.redis-shortcut.ttl=1h",
                        "waybill.inbox.redis-shortcut.timeout=" + TIMEOUT.toMillis() + "ms");
    }

    static class Handler {

        final Queue<String> handled = new ConcurrentLinkedQueue<>();

        @WaybillListener(topic = "ORDERS", group = "g", types = "Fine")
        void fine(Event event) {
            handled.add(event.eventId());
        }

        @WaybillListener(topic = "ORDERS", group = "g", types = "Failing")
        void failing(Event event) {
            handled.add(event.eventId());
            throw new IllegalStateException("never");
        }
    }

    @Test
    void aHandledEventIsLearnedWithATtlAndARepeatNeverAsksTheDatabase(Redis redis) {
        application(redis).run(context -> {
            redisAnswers(context);
            Event event = Event.of("Fine", "{}");
            send(context, event);
            await().until(() -> keys(redis).contains(prefix + "shop:1:g:" + event.eventId()));
            assertThat(ttl(redis, prefix + "shop:1:g:" + event.eventId())).isBetween(3_000L, 3_600L);
            context.getBean(JdbcTemplate.class).execute("DELETE FROM waybill_inbox");
            send(context, event);
            last(context);
            assertThat(handled(context)).filteredOn(event.eventId()::equals).hasSize(1);
        });
    }

    @Test
    void aFailedEventIsNotLearned(Redis redis) {
        application(redis).run(context -> {
            redisAnswers(context);
            Event event = Event.of("Failing", "{}");
            send(context, event);
            await().until(() -> handled(context).size() == 3);
            last(context);
            await().until(() -> keys(redis).size() > 1);
            assertThat(keys(redis)).doesNotContain(prefix + "shop:1:g:" + event.eventId());
        });
    }

    @Test
    void withoutRedisConsumptionGoesOnAndStaysOnceOnly(Redis redis) {
        application(redis).run(context -> {
            redisAnswers(context);
            redis.stop();
            repeatsAreHandledOnce(context);
            redis.start();
            redisAnswers(context);
        });
    }

    @Test
    void anApplicationStartsWithoutRedis(Redis redis) {
        redis.stop();
        application(redis).run(context -> {
            repeatsAreHandledOnce(context);
            redis.start();
            redisAnswers(context);
        });
    }

    @Test
    void aRedisThatTakesQuestionsAndAnswersNoneHoldsNobodyUp(Redis redis) {
        application(redis).run(context -> {
            redisAnswers(context);
            DoneCache cache = context.getBean(DoneCache.class);
            redis.pause();
            try {
                long begun = System.nanoTime();
                for (int n = 0; n < 50; n++) {
                    assertThat(cache.knows("nothing-" + n, "g")).isFalse();
                    cache.learn("nothing-" + n, "g");
                }
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(TIMEOUT.multipliedBy(5));
                repeatsAreHandledOnce(context);
            } finally {
                redis.resume();
            }
        });
    }

    @Test
    void withoutTheRedisModuleTheStartUpStopsAndNamesIt(Redis redis) {
        application(redis)
                .withClassLoader(new FilteredClassLoader(RedisLink.class))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasRootCauseInstanceOf(StartUpException.class)
                        .rootCause()
                        .hasMessageContaining("waybill.inbox.redis-shortcut.enabled")
                        .hasMessageContaining("the Redis module is not on the class path"));
    }

    /** Connecting goes on in the background: this is when it is done. */
    private static void redisAnswers(ApplicationContext context) {
        DoneCache cache = context.getBean(DoneCache.class);
        await().until(() -> {
            cache.learn("before", "g");
            return cache.knows("before", "g");
        });
    }

    private static void repeatsAreHandledOnce(ApplicationContext context) throws Exception {
        Event event = Event.of("Fine", "{}");
        send(context, event);
        send(context, event);
        last(context);
        assertThat(handled(context)).filteredOn(event.eventId()::equals).hasSize(1);
    }

    /** Whatever was sent before is settled when this is handled: the group handles one at a time. */
    private static void last(ApplicationContext context) throws Exception {
        Event last = Event.of("Fine", "{}");
        send(context, last);
        await().until(() -> handled(context).contains(last.eventId()));
    }

    private static Queue<String> handled(ApplicationContext context) {
        return context.getBean(Handler.class).handled;
    }

    private static void send(ApplicationContext context, Event event) throws Exception {
        context.getBean(Transport.class)
                .send(
                        List.of(new Message(
                                Destination.of("ORDERS"), event, Envelope.encode(event, BodyFormat.ENVELOPE))),
                        (index, outcome) -> {});
        int sent = context.getBean(MemoryBroker.class).read("ORDERS").size();
        assertThat(sent).isPositive();
    }

    private List<String> keys(Redis redis) {
        try (RedisClient client = RedisClient.create(redis.url())) {
            return client.connect().sync().keys(prefix + "*");
        }
    }

    private static long ttl(Redis redis, String key) {
        try (RedisClient client = RedisClient.create(redis.url())) {
            return client.connect().sync().ttl(key);
        }
    }
}
