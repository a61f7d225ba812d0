package dev.waybill.starter.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.inbox.DeadLetters;
import dev.waybill.inbox.Dependency;
import dev.waybill.inbox.InboxListener;
import dev.waybill.inbox.ReplayRequest;
import dev.waybill.memory.MemoryBroker;
import dev.waybill.message.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.Relay;
import dev.waybill.starter.WaybillAutoConfiguration;
import dev.waybill.starter.broker.BrokerAutoConfiguration;
import dev.waybill.starter.observability.InboxHealthAutoConfiguration;
import dev.waybill.starter.observability.InboxMetricsAutoConfiguration;
import dev.waybill.starter.retention.RetentionAutoConfiguration;
import dev.waybill.store.DeadLetterStore;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import dev.waybill.store.InboxStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionTemplate;

/** What an application sees of its listeners: meters, health, an orderly stop, and every way in which a method ends. */
class WatchedListenerTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    BrokerAutoConfiguration.class,
                    WaybillAutoConfiguration.class,
                    InboxAutoConfiguration.class,
                    RetentionAutoConfiguration.class,
                    InboxMetricsAutoConfiguration.class,
                    InboxHealthAutoConfiguration.class))
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
            .withPropertyValues(
                    "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
                    "waybill.broker=memory",
                    "waybill.outbox.ddl=apply",
                    "waybill.inbox.ddl=apply",
                    "waybill.inbox.retry-delays=10ms,10ms",
                    "waybill.default-route.topic=ORDERS");

    /** Ends in every way there is. */
    static class Ends {

        final Queue<String> seen = new ConcurrentLinkedQueue<>();

        @WaybillListener(topic = "ORDERS", group = "g", types = "Fine")
        void fine(String json) {
            seen.add(json);
        }

        @WaybillListener(topic = "ORDERS", group = "g", types = "Checked")
        void checked(Event event) throws IOException {
            seen.add(event.eventId());
            throw new IOException("no paper");
        }

        @WaybillListener(topic = "ORDERS", group = "g", types = "Broken")
        void broken(Event event) {
            seen.add(event.eventId());
            throw new AssertionError("broken");
        }
    }

    @Test
    void theMetersCountWhatTheInboxDid() {
        application.withBean(Ends.class).run(context -> {
            Event fine = Event.of("Fine", "{\"a\":1}");
            publish(context, fine, Event.of("Checked", "{}"), Event.of("ForOthers", "{}"));
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            await().ignoreExceptions().untilAsserted(() -> {
                assertThat(count(meters, "consumed", "Fine")).isEqualTo(1);
                assertThat(count(meters, "failed", "Checked")).isEqualTo(3);
                assertThat(count(meters, "dead.lettered", "Checked")).isEqualTo(1);
                assertThat(count(meters, "passed.over", "-")).isEqualTo(1);
            });
            assertThat(meters.get("waybill.inbox.processing")
                            .tags("group", "g", "topic", "ORDERS", "type", "Fine")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(context.getBean(Ends.class).seen).contains("{\"a\":1}");
        });
    }

    @Test
    void aDeadLetterIsSavedAndReplayedToItsListenerOnRequest() {
        application.withBean(Ends.class).run(context -> {
            Event checked = Event.of("Checked", "{}");
            publish(context, checked);
            DeadLetters letters = context.getBean(DeadLetters.class);
            await().until(() -> letters.count(DeadLetterStore.Filter.any()) == 1);
            StoredLetter saved =
                    letters.list(DeadLetterStore.Filter.any(), 10, 0).get(0);
            assertThat(saved.eventId()).isEqualTo(checked.eventId());
            assertThat(saved.letter().error()).contains("no paper");

            assertThat(letters.replay(List.of(saved.id()), ReplayRequest.by("ops", "try again"))
                            .replayed())
                    .containsExactly(saved.id());
            await().until(() ->
                    letters.count(DeadLetterStore.Filter.any()) == 2); // it failed again and became another dead letter
            assertThat(context.getBean(Ends.class).seen).hasSize(6);
        });
    }

    @Test
    void aCheckedExceptionAndAnErrorOfTheMethodAreRetriedAndGivenUp() {
        application.withBean(Ends.class).run(context -> {
            Event checked = Event.of("Checked", "{}");
            Event broken = Event.of("Broken", "{}");
            publish(context, checked, broken);
            InboxStore store = context.getBean(InboxStore.class);
            Queue<String> seen = context.getBean(Ends.class).seen;
            await().untilAsserted(() -> {
                assertThat(seen).filteredOn(checked.eventId()::equals).hasSize(3);
                assertThat(seen).filteredOn(broken.eventId()::equals).hasSize(3);
            });
            await().untilAsserted(() -> {
                assertThat(store.lastError(checked.eventId(), "g"))
                        .hasValueSatisfying(error -> assertThat(error).contains("no paper"));
                assertThat(store.lastError(broken.eventId(), "g"))
                        .hasValueSatisfying(error -> assertThat(error).contains("broken"));
            });
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class WithTransactionalMethods {}

    static class Careless {

        final Queue<String> seen = new ConcurrentLinkedQueue<>();
        private final JdbcTemplate jdbc;

        Careless(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
            jdbc.execute("CREATE TABLE IF NOT EXISTS effect (event_id VARCHAR(64))");
        }

        @Transactional
        @WaybillListener(topic = "ORDERS", group = "g", types = "RollsBack")
        public void rollsBack(Event event) {
            seen.add(event.eventId());
            jdbc.update("INSERT INTO effect VALUES (?)", event.eventId());
            TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
        }
    }

    @Test
    void aTransactionThatWasMarkedForRollbackIsNeverAcknowledgedAsDone() {
        application
                .withUserConfiguration(WithTransactionalMethods.class)
                .withBean(Careless.class)
                .run(context -> {
                    Event event = Event.of("RollsBack", "{}");
                    publish(context, event);
                    await().untilAsserted(() -> assertThat(
                                    context.getBean(InboxStore.class).lastError(event.eventId(), "g"))
                            .hasValueSatisfying(error -> assertThat(error).contains("marked for rollback")));
                    await().ignoreExceptions() // the meter may not be there yet
                            .untilAsserted(() -> assertThat(
                                            count(context.getBean(MeterRegistry.class), "dead.lettered", "RollsBack"))
                                    .isEqualTo(1));
                    assertThat(context.getBean(JdbcTemplate.class)
                                    .queryForObject("SELECT count(*) FROM effect", Integer.class))
                            .isZero();
                });
    }

    static class Slow {

        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch leave = new CountDownLatch(1);
        final Queue<String> relayed = new ConcurrentLinkedQueue<>();
        private final Relay relay;

        Slow(Relay relay) {
            this.relay = relay;
        }

        @WaybillListener(topic = "ORDERS", group = "g", types = "Slow")
        public void slow(Event event) throws InterruptedException {
            entered.countDown();
            assertThat(leave.await(20, TimeUnit.SECONDS)).isTrue();
            relayed.add("relay runs: " + relay.isRunning());
        }
    }

    @Test
    void aStopWaitsForTheHandlerWhileTheRelayStillRuns() {
        application.withBean(Slow.class).run(context -> {
            Slow slow = context.getBean(Slow.class);
            publish(context, Event.of("Slow", "{}"));
            assertThat(slow.entered.await(20, TimeUnit.SECONDS)).isTrue();
            Thread closing = new Thread(context::close);
            closing.start();
            InboxSubscriptions subscriptions = context.getBean(InboxSubscriptions.class);
            await().until(() -> !subscriptions.isRunning());
            slow.leave.countDown();
            closing.join();
            assertThat(slow.relayed).containsExactly("relay runs: true");
        });
    }

    @Test
    void aStoppedInboxIsDownAndGoesOnWhereItStoodWhenItStartsAgain() {
        application.withBean(Ends.class).run(context -> {
            InboxSubscriptions subscriptions = context.getBean(InboxSubscriptions.class);
            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            subscriptions.stop();
            assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
            publish(context, Event.of("Fine", "\"later\""));
            await().until(() ->
                    context.getBean(MemoryBroker.class).read("ORDERS").size() == 1);
            assertThat(context.getBean(Ends.class).seen).isEmpty();
            subscriptions.start();
            await().until(() -> context.getBean(Ends.class).seen.contains("\"later\""));
            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
        });
    }

    /** Something that handlers need, and that can be gone. */
    static class Printer implements Dependency {

        final AtomicBoolean works = new AtomicBoolean(true);

        @Override
        public String name() {
            return "printer";
        }

        @Override
        public boolean answers() {
            return works.get();
        }
    }

    static class Printing {

        private final Printer printer;
        final Queue<Integer> printed = new ConcurrentLinkedQueue<>();

        Printing(Printer printer) {
            this.printer = printer;
        }

        @WaybillListener(topic = "ORDERS", group = "g", types = "Print")
        public void print(Event event) {
            if (!printer.answers()) {
                throw new IllegalStateException("no printer");
            }
            printed.add(1);
        }
    }

    @Test
    void whileADeclaredDependencyIsDownDeliveriesWaitAndHealthSaysFor() {
        application.withBean(Printer.class).withBean(Printing.class).run(context -> {
            Printer printer = context.getBean(Printer.class);
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            printer.works.set(false);
            publish(context, Event.of("Print", "{}"));
            await().untilAsserted(() ->
                    assertThat(health(context).getDetails().toString()).contains("waits for printer"));
            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            assertThat(meters.get("waybill.inbox.paused").gauge().value()).isEqualTo(1);
            printer.works.set(true);
            await().until(() -> context.getBean(Printing.class).printed.size() == 1);
            assertThat(meters.get("waybill.inbox.paused").gauge().value()).isZero();
            assertThat(meters.get("waybill.inbox.failed").counter().count()).isZero();
        });
    }

    /** A listener on an interface, so that its proxy may be a JDK one. */
    interface Batching {

        @WaybillListener(topic = "ORDERS", group = "g", types = "Many", batch = "50", concurrency = "1")
        void many(Event event);
    }

    static class Batched implements Batching {

        final Queue<String> threads = new ConcurrentLinkedQueue<>();

        @Override
        public void many(Event event) {
            threads.add(event.eventId());
        }
    }

    @Test
    void anAnnotationOnAnInterfaceCountsAndABatchIsHandledWhole() {
        List<Event> events =
                IntStream.range(0, 120).mapToObj(n -> Event.of("Many", "{}")).toList();
        application.withBean(Batched.class).run(context -> {
            publish(context, events.toArray(new Event[0]));
            await().ignoreExceptions() // the meter may not be there yet
                    .untilAsserted(() -> assertThat(count(context.getBean(MeterRegistry.class), "consumed", "Many"))
                            .isEqualTo(120));
            assertThat(Set.copyOf(context.getBean(Batched.class).threads)).hasSize(120);
        });
    }

    @Test
    void handledEventsAreForgottenAfterTheirRetentionAndNotBefore() {
        application
                .withBean(Ends.class)
                .withPropertyValues("waybill.inbox.sweep-interval=50ms")
                .run(context -> {
                    Event old = Event.of("Fine", "1");
                    Event young = Event.of("Fine", "2");
                    publish(context, old, young);
                    await().until(() -> context.getBean(Ends.class).seen.size() == 2);
                    JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
                    await().until(() -> 1
                            == jdbc.update(
                                    "UPDATE waybill_inbox SET done_at = DATEADD('DAY', -15, done_at),"
                                            + " created_at = DATEADD('DAY', -15, created_at)"
                                            + " WHERE event_id = ? AND status = 'SUCCESS'",
                                    old.eventId()));
                    await().untilAsserted(() -> assertThat(
                                    jdbc.queryForList("SELECT event_id FROM waybill_inbox", String.class))
                            .containsExactly(young.eventId()));
                });
    }

    @Test
    void aListenerOfTheApplicationHearsToo() {
        Queue<String> passedOver = new ConcurrentLinkedQueue<>();
        application
                .withBean(Ends.class)
                .withBean(InboxListener.class, () -> new InboxListener() {
                    @Override
                    public void passedOver(Event event, String group) {
                        passedOver.add(group + " " + event.type());
                    }
                })
                .run(context -> {
                    publish(context, Event.of("ForOthers", "{}"));
                    await().until(() -> passedOver.contains("g ForOthers"));
                });
    }

    private static double count(MeterRegistry meters, String name, String type) {
        return meters.get("waybill.inbox." + name)
                .tags("group", "g", "topic", "ORDERS", "type", type)
                .counter()
                .count();
    }

    private static Health health(ApplicationContext context) {
        return context.getBean("waybillInboxHealthIndicator", HealthIndicator.class)
                .health();
    }

    private static void publish(ApplicationContext context, Event... events) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> context.getBean(Outbox.class).publishAll(List.of(events)));
    }
}
