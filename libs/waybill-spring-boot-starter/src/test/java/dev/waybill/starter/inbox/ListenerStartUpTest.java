package dev.waybill.starter.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.Relay;
import dev.waybill.rocketmq.RocketMqTransport;
import dev.waybill.servicetestkit.CapturedLog;
import dev.waybill.starter.StartUpException;
import dev.waybill.starter.WaybillAutoConfiguration;
import dev.waybill.starter.broker.BrokerAutoConfiguration;
import dev.waybill.starter.redis.RedisShortcutAutoConfiguration;
import dev.waybill.store.InboxStore;
import dev.waybill.transport.Subscriptions;
import java.io.InputStream;
import java.net.InetAddress;
import java.util.BitSet;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.util.unit.DataSize;

/** What start-up refuses about listeners: bean and method, or the property, are named. */
class ListenerStartUpTest {

    private final ApplicationContextRunner bare = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    BrokerAutoConfiguration.class,
                    WaybillAutoConfiguration.class,
                    RedisShortcutAutoConfiguration.class,
                    InboxAutoConfiguration.class))
            .withPropertyValues("waybill.broker=memory", "waybill.outbox.ddl=apply", "orders=ORDERS");

    private final ApplicationContextRunner application = bare.withPropertyValues(
            "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(), "waybill.inbox.ddl=apply");

    record Order(String orderNo) {}

    @Test
    void anApplicationThatOnlyConsumesNeedsNoOutboxTable() {
        ApplicationContextRunner withoutTable =
                application.withBean(Fine.class).withPropertyValues("waybill.outbox.ddl=none");
        withoutTable.run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(Relay.class).isRunning()).isFalse();
            assertThat(context.getBean(InboxSubscriptions.class).specs())
                    .allMatch(context.getBean(InboxSubscriptions.class)::isReceiving);
        });
        withoutTable
                .withPropertyValues("waybill.relay.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
        withoutTable.withBean(Publishing.class).run(refused("waybill.outbox.ddl"));
        withoutTable.withBean(PublishingLater.class).run(refused("waybill.outbox.ddl"));
        withoutTable.withUserConfiguration(MakesAPublisher.class).run(refused("waybill.outbox.ddl"));
    }

    record Publishing(Outbox outbox) {}

    record PublishingLater(ObjectProvider<Outbox> outbox) {}

    @Configuration(proxyBeanMethods = false)
    static class MakesAPublisher {

        @Bean
        Runnable publisher(ObjectProvider<Outbox> outbox) {
            return () -> outbox.getObject().publish("A", "{}");
        }
    }

    @Test
    void printingTheTablesTakesOneRoundForAllOfThem() {
        try (CapturedLog log = new CapturedLog()) {
            application
                    .withBean(Fine.class)
                    .withBean(Publishing.class)
                    .withPropertyValues("waybill.outbox.ddl=print", "waybill.inbox.ddl=print")
                    .run(refused("waybill.outbox.ddl"));
            assertThat(String.join("\n", log.lines()))
                    .contains("waybill_outbox", "waybill_inbox", "waybill_dead_letter");
        }
    }

    @Test
    void aListenerSubscribesAndAnApplicationWithoutOneNeedsNoTable() {
        application
                .withBean(Fine.class)
                .run(context -> assertThat(
                                context.getBean(InboxSubscriptions.class).specs())
                        .singleElement()
                        .satisfies(spec -> {
                            assertThat(spec.source()).isEqualTo("ORDERS");
                            assertThat(spec.tag()).isEqualTo("A || B");
                            assertThat(context.getBean(InboxSubscriptions.class).isReceiving(spec))
                                    .isTrue();
                        }));
        application.withPropertyValues("waybill.inbox.ddl=none").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBeanFactory().containsSingleton("waybillInboxStore"))
                    .isFalse();
            assertThat(context.getBeanFactory().containsSingleton("waybillSubscriptions"))
                    .isFalse();
        });
    }

    @Test
    void aListenerIsLeftAloneWhereTheInboxIsSwitchedOff() {
        application
                .withBean(Fine.class)
                .withPropertyValues("waybill.inbox.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(InboxStore.class)
                        .doesNotHaveBean(Subscriptions.class));
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                mistake(PrivateOne.class, PrivateOne::new, "private"),
                mistake(FinalOne.class, FinalOne::new, "final"),
                mistake(StaticOne.class, StaticOne::new, "static"),
                mistake(OwnTransaction.class, OwnTransaction::new, "REQUIRES_NEW"),
                mistake(OfATransactionalClass.class, OfATransactionalClass::new, "NOT_SUPPORTED"),
                mistake(TakesAThread.class, TakesAThread::new, "java.lang.Thread"),
                mistake(TakesAStream.class, TakesAStream::new, "java.io.InputStream"),
                mistake(TakesADataSource.class, TakesADataSource::new, "javax.sql.DataSource"),
                mistake(TakesTheContext.class, TakesTheContext::new, "ApplicationContext"),
                mistake(TakesAChannel.class, TakesAChannel::new, "com.rabbitmq.client.Channel"),
                mistake(NoArguments.class, NoArguments::new, "Let it take the payload"),
                mistake(TwoPayloads.class, TwoPayloads::new, "Let it take the payload"),
                mistake(TwoEvents.class, TwoEvents::new, "Let it take the payload"),
                mistake(ReturnsText.class, ReturnsText::new, "java.lang.String"),
                mistake(NoSource.class, NoSource::new, "no topic and no queue"),
                mistake(TwoSources.class, TwoSources::new, "a topic and a queue"),
                mistake(NoGroup.class, NoGroup::new, "group is empty"),
                mistake(NoTypes.class, NoTypes::new, "no event type"),
                mistake(NoSuchPlaceholder.class, NoSuchPlaceholder::new, "nobody.knows"),
                mistake(OddPace.class, OddPace::new, "concurrency"),
                mistake(SameTypeTwice.class, SameTypeTwice::new, "handles A already"),
                mistake(SameTypeElsewhere.class, SameTypeElsewhere::new, "handles A already"),
                mistake(OwnedAndShared.class, OwnedAndShared::new, "topic or queue differ"));
    }

    private static <T> Arguments mistake(Class<T> type, Supplier<T> bean, String word) {
        return Arguments.of(type, bean, word);
    }

    @ParameterizedTest(name = "{2}")
    @MethodSource("mistakes")
    <T> void aListenerThatCannotWorkIsRefusedByBeanAndMethod(Class<T> type, Supplier<T> bean, String word) {
        application
                .withBean("mistaken", type, bean)
                .run(refused("@WaybillListener", "bean 'mistaken'", type.getName() + ".on", word));
    }

    @Test
    void whatAJsonLibraryReadsIsAPayloadWhoeverWroteItsClass() {
        application
                .withBean(TakesValues.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aPayloadThatNothingCanReadIsRefused() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        BrokerAutoConfiguration.class,
                        WaybillAutoConfiguration.class,
                        InboxAutoConfiguration.class))
                .withPropertyValues(
                        "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
                        "orders=ORDERS",
                        "waybill.broker=memory",
                        "waybill.outbox.ddl=apply",
                        "waybill.inbox.ddl=apply")
                .withBean("fine", Fine.class)
                .run(refused("@WaybillListener", "bean 'fine'", "spring-boot-starter-jackson"));
    }

    @Test
    void aMissingTableNamesThePropertyThatCreatesIt() {
        application
                .withBean(Fine.class)
                .withPropertyValues("waybill.inbox.ddl=none")
                .run(refused("waybill.inbox.ddl", "=apply"));
    }

    @Test
    void aRabbitQueueWithoutADeadLetterRouteNamesTheProperty() {
        application
                .withBean(Fine.class)
                .withPropertyValues("waybill.broker=rabbitmq", "waybill.relay.enabled=false")
                .run(refused("waybill.broker", "waybill.rabbitmq.dead-letters.queue"));
        application
                .withBean(Fine.class)
                .withPropertyValues(
                        "waybill.broker=rabbitmq",
                        "waybill.relay.enabled=false",
                        "waybill.rabbitmq.dead-letters.exchange=dlx")
                .run(refused("waybill.rabbitmq.dead-letters.queue"));
    }

    @Test
    void rocketMqWithoutNameServersIsRefused() {
        application
                .withBean(Fine.class)
                .withPropertyValues("waybill.broker=rocketmq", "waybill.relay.enabled=false")
                .run(refused("waybill.rocketmq.name-server"));
    }

    @Test
    void anAbsentBrokerIsNamed() {
        application
                .withBean(Fine.class)
                .withClassLoader(new FilteredClassLoader(RocketMqTransport.class))
                .withPropertyValues("waybill.broker=rocketmq", "waybill.relay.enabled=false")
                .run(refused("waybill.broker", "waybill-rocketmq"));
    }

    @ParameterizedTest
    @CsvSource({
        "waybill.inbox.concurrency, 0",
        "waybill.inbox.prefetch, 0",
        "waybill.inbox.batch, 0",
        "waybill.inbox.retry-delays, -1s",
        "waybill.inbox.max-body, 0B",
        "waybill.inbox.retention, 6d",
        "waybill.inbox.sweep-interval, 0s",
        "waybill.stop-deadline, -1s",
        "waybill.inbox.layout, nobody",
        "waybill.inbox.table, a-b",
        "waybill.inbox.columns.trace-id, a b",
        "waybill.inbox.words.failed, a b",
        "waybill.inbox.data-source, nobody",
        "waybill.inbox.transaction-manager, nobody",
        "waybill.rabbitmq.dead-letters-of.order.created.queue, dlq"
    })
    void aSettingThatCannotHoldIsRefusedByName(String property, String value) {
        application
                .withBean(Fine.class)
                .withPropertyValues(property + "=" + value)
                .run(refused(property));
    }

    @ParameterizedTest
    @CsvSource({
        "waybill.inbox.redis-shortcut.uri, http://me:secret@host",
        "waybill.inbox.redis-shortcut.ttl, 15d",
        "waybill.inbox.redis-shortcut.timeout, 0s",
        "waybill.inbox.redis-shortcut.key-prefix, waybill:done:" // and no name: another service's events could pass for
        // ours
    })
    void aShortcutThatCannotHoldIsRefusedByName(String property, String value) {
        application
                .withBean(Fine.class)
                .withPropertyValues(
                        "waybill.inbox.redis-shortcut.enabled=true",
                        "waybill.inbox.redis-shortcut.uri=redis://localhost:1",
                        property + "=" + value)
                .run(refused(property));
    }

    @Test
    void theManagerOfTheInboxsDataSourceIsFoundAmongOthers() {
        bare.withBean(Fine.class)
                .withUserConfiguration(TwoDatabases.class)
                .withPropertyValues("waybill.outbox.data-source=second", "waybill.inbox.ddl=apply")
                .run(context -> assertThat(context).hasNotFailed());
        bare.withBean(Fine.class)
                .withUserConfiguration(TwoDatabases.class)
                .withPropertyValues(
                        "waybill.outbox.data-source=second",
                        "waybill.inbox.ddl=apply",
                        "waybill.inbox.transaction-manager=firstManager")
                .run(refused("waybill.inbox.transaction-manager", "manages another DataSource"));
    }

    private static ContextConsumer<AssertableApplicationContext> refused(String property, String... words) {
        return context -> {
            Throwable failure = context.getStartupFailure();
            while (failure != null && !(failure instanceof StartUpException)) {
                failure = failure.getCause();
            }
            assertThat(failure).isInstanceOfSatisfying(StartUpException.class, refusal -> {
                assertThat(refusal.property()).isEqualTo(property);
                assertThat(words).allSatisfy(word -> assertThat(refusal).hasMessageContaining(word));
                assertThat(refusal).hasMessageNotContaining("secret");
            });
        };
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDatabases {

        @Bean
        DataSource first() {
            return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        }

        @Bean
        DataSource second() {
            return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        }

        @Bean
        PlatformTransactionManager firstManager(@Qualifier("first") DataSource first) {
            return new DataSourceTransactionManager(first);
        }

        @Bean
        PlatformTransactionManager secondManager(@Qualifier("second") DataSource second) {
            return new DataSourceTransactionManager(second);
        }
    }

    static class Fine {
        @WaybillListener(topic = "${orders}", group = "g", types = "A", tag = "A")
        public void on(Order order) {}

        @WaybillListener(topic = "${orders}", group = "g", types = "${type.b:B}", tag = "B", concurrency = "1")
        public HandlerResult onB(Event event, Order order) {
            return HandlerResult.DONE;
        }
    }

    static class PrivateOne {
        @WaybillListener(topic = "T", group = "g", types = "A")
        @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // that is the mistake
        private void on(Order order) {}
    }

    static class FinalOne {
        @WaybillListener(topic = "T", group = "g", types = "A")
        public final void on(Order order) {}
    }

    static class StaticOne {
        @WaybillListener(topic = "T", group = "g", types = "A")
        public static void on(Order order) {}
    }

    static class OwnTransaction {
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @WaybillListener(topic = "T", group = "g", types = "A")
        public void on(Order order) {}
    }

    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    static class OfATransactionalClass {
        @WaybillListener(topic = "T", group = "g", types = "A")
        public void on(Order order) {}
    }

    static class TakesAThread {
        @WaybillListener(topic = "T", group = "g", types = "A")
        public void on(Thread thread) {}
    }

    static class TakesAStream {
        @WaybillListener(topic = "T", group = "g", types = "A")
        public void on(InputStream stream) {}
    }

    static class TakesADataSource {
        @WaybillListener(topic = "T", group = "g", types = "A")
        public void on(DataSource database) {}
    }

    static class TakesTheContext {
        @WaybillListener(topic = "T", group = "g", types = "A")
        public void on(ApplicationContext context) {}
    }

    record Command(String name) implements Runnable {
        @Override
        public void run() {}
    }

    static class TakesValues {
        @WaybillListener(topic = "T", group = "g", types = "A")
        public void onSet(BitSet payload) {}

        @WaybillListener(topic = "T", group = "g", types = "B")
        public void onNumber(OptionalInt payload) {}

        @WaybillListener(topic = "T", group = "g", types = "C")
        public void onAddress(InetAddress payload) {}

        @WaybillListener(topic = "T", group = "g", types = "D")
        public void onName(QName payload) {}

        @WaybillListener(topic = "T", group = "g", types = "E")
        public void onSize(DataSize payload) {}

        @WaybillListener(topic = "T", group = "g", types = "F")
        public void onCommand(Command payload) {}
    }

    static class TakesAChannel {
        @WaybillListener(topic = "T", group = "g", types = "A")
        public void on(Event event, Channel channel) {}
    }

    static class NoArguments {
        @WaybillListener(topic = "T", group = "g", types = "A")
        public void on() {}
    }

    static class TwoPayloads {
        @WaybillListener(topic = "T", group = "g", types = "A")
        public void on(Order order, String text) {}
    }

    static class TwoEvents {
        @WaybillListener(topic = "T", group = "g", types = "A")
        public void on(Event event, Event other) {}
    }

    static class ReturnsText {
        @WaybillListener(topic = "T", group = "g", types = "A")
        public String on(Order order) {
            return "";
        }
    }

    static class NoSource {
        @WaybillListener(group = "g", types = "A")
        public void on(Order order) {}
    }

    static class TwoSources {
        @WaybillListener(topic = "T", queue = "q", group = "g", types = "A")
        public void on(Order order) {}
    }

    static class NoGroup {
        @WaybillListener(topic = "T", group = "${nothing:}", types = "A")
        public void on(Order order) {}
    }

    static class NoTypes {
        @WaybillListener(
                topic = "T",
                group = "g",
                types = {})
        public void on(Order order) {}
    }

    static class NoSuchPlaceholder {
        @WaybillListener(topic = "${nobody.knows}", group = "g", types = "A")
        public void on(Order order) {}
    }

    static class OddPace {
        @WaybillListener(topic = "T", group = "g", types = "A", concurrency = "some")
        public void on(Order order) {}
    }

    static class SameTypeTwice {
        @WaybillListener(topic = "T", group = "g", types = "A")
        public void on(Order order) {}

        @WaybillListener(
                topic = "T",
                group = "g",
                types = {"B", "A"})
        public void onToo(Order order) {}
    }

    static class SameTypeElsewhere {
        @WaybillListener(queue = "q1", group = "g", types = "A")
        public void on(Order order) {}

        @WaybillListener(queue = "q2", group = "g", types = "A")
        public void onToo(Order order) {}
    }

    static class OwnedAndShared {
        @WaybillListener(queue = "T", group = "g", types = "A")
        public void on(Order order) {}

        @WaybillListener(topic = "T", group = "g", types = "B")
        public void onToo(Order order) {}
    }
}
