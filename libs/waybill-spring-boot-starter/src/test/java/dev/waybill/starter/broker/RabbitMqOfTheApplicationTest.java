package dev.waybill.starter.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.outbox.Outbox;
import dev.waybill.servers.FaultProxy;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.RabbitMqVhost;
import dev.waybill.servicetestkit.ServiceSettings;
import dev.waybill.starter.StartUpException;
import dev.waybill.starter.WaybillAutoConfiguration;
import dev.waybill.starter.inbox.InboxAutoConfiguration;
import dev.waybill.starter.inbox.WaybillListener;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.core.TopicExchange;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** RabbitMQ as an application has it: its own settings, and exchanges and queues that nobody declared by hand. */
@Servers(Server.RABBITMQ)
@ExtendWith(OutputCaptureExtension.class)
class RabbitMqOfTheApplicationTest {

    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final String[] DECLARED = {
        "waybill.rabbitmq.declare.exchanges[0].name=shop",
        "waybill.rabbitmq.declare.queues[0].name=invoices",
        "waybill.rabbitmq.declare.queues[0].bindings[0].exchange=shop",
        "waybill.rabbitmq.declare.queues[0].bindings[0].routing-key=order.*",
        "waybill.rabbitmq.declare.queues[0].dead-letter-queue=invoices.dead"
    };

    private final RabbitMq server;
    private RabbitMqVhost vhost;
    private ApplicationContextRunner application;

    RabbitMqOfTheApplicationTest(RabbitMq server) {
        this.server = server;
    }

    @BeforeEach
    void open() throws IOException {
        vhost = RabbitMqVhost.open(server);
        application = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        JacksonAutoConfiguration.class,
                        RabbitAutoConfiguration.class,
                        BrokerAutoConfiguration.class,
                        WaybillAutoConfiguration.class,
                        InboxAutoConfiguration.class))
                .withUserConfiguration(Invoicing.class)
                .withPropertyValues(
                        "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
                        "waybill.broker=rabbitmq",
                        "waybill.outbox.ddl=apply",
                        "waybill.inbox.ddl=apply",
                        "waybill.inbox.retry-delays=",
                        "waybill.default-route.topic=shop",
                        "waybill.default-route.tag=order.created")
                .withPropertyValues(vhost.addTo(ServiceSettings.none()).values().entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .toArray(String[]::new));
    }

    @AfterEach
    void close() throws IOException {
        vhost.close();
    }

    @Test
    void springsSettingsAreReadWithoutSpringAmqpAndTheLogNamesThem(CapturedOutput output) {
        application
                .withPropertyValues(DECLARED)
                .withClassLoader(new FilteredClassLoader("org.springframework.amqp", "org.springframework.boot.amqp"))
                .run(context -> {
                    publishAndConsume(context, "first");
                    assertThat(output.getAll())
                            .containsOnlyOnce("[RabbitMq] Using host=" + server.host() + " port=" + server.port())
                            .contains("user=" + server.user(), "setBy=spring.rabbitmq.host")
                            .doesNotContain("[RabbitMqTopology] Not declared");
                });
    }

    @Test
    void beansOfSpringAmqpAreDeclaredBeforeTheFirstEvent() {
        application
                .withUserConfiguration(OwnQueues.class)
                .withPropertyValues("waybill.rabbitmq.dead-letters.queue=invoices.dead")
                .run(context -> {
                    publishAndConsume(context, "first");
                    vhost.channel().queueDelete("invoices");
                    await().atMost(PATIENCE).until(() -> namesOfQueues().contains("invoices"));
                    publishAndConsume(context, "second");
                });
    }

    @Test
    void beansAreDeclaredOnOneConnectionWhereSpringCachesConnections() {
        application
                .withUserConfiguration(OwnQueues.class)
                .withPropertyValues(
                        "spring.rabbitmq.cache.connection.mode=connection",
                        "waybill.rabbitmq.dead-letters.queue=invoices.dead")
                .run(context -> {
                    publishAndConsume(context, "first");
                    assertThat(context.getBean(CachingConnectionFactory.class).getCacheProperties())
                            .containsEntry("openConnections", "1")
                            .containsEntry("idleConnections", "1");
                });
    }

    @Test
    void aBindingToAnExchangeOfAnotherServiceThatComesLaterIsMadeThen(CapturedOutput output) {
        application
                .withPropertyValues(DECLARED)
                .withPropertyValues(
                        "waybill.rabbitmq.declare.queues[0].bindings[1].exchange=later\u001b[31m",
                        "waybill.rabbitmq.declare.queues[0].bindings[1].routing-key=order.*")
                .run(context -> {
                    publishAndConsume(context, "first");
                    assertThat(output.getAll())
                            .contains("[RabbitMqTopology] Not everything is declared", "later\\u001b[31m")
                            .doesNotContain("later\u001b[31m");
                    vhost.channel().exchangeDeclare("later\u001b[31m", "topic", true);
                    await().atMost(PATIENCE)
                            .until(() -> output.getAll().contains("Declared what the broker refused before"));
                });
    }

    @Test
    void aUserWhoMayDeclareNothingWorksWithWhatIsThere(CapturedOutput output) throws IOException {
        vhost.channel().exchangeDeclare("shop", "topic", true);
        vhost.channel().queueDeclare("invoices.dead", true, false, false, null);
        vhost.channel().queueDeclare("invoices", true, false, false, null);
        vhost.channel().queueBind("invoices", "shop", "order.*");
        vhost.forbidToConfigure();
        application
                .withPropertyValues(
                        "waybill.rabbitmq.declare.queues[0].name=invoices",
                        "waybill.rabbitmq.declare.queues[0].type=classic",
                        "waybill.rabbitmq.declare.queues[1].name=others",
                        "waybill.rabbitmq.dead-letters.queue=invoices.dead")
                .run(context -> {
                    publishAndConsume(context, "first");
                    assertThat(output.getAll())
                            .contains("queue others cannot be declared, because the user may not", "ACCESS_REFUSED");
                });
    }

    @Test
    void whatTheConfigurationDeclaresIsThereForTheFirstEventAndItsDeadLetter() {
        application
                .withPropertyValues(DECLARED)
                .withPropertyValues(
                        "waybill.inbox.collect-dead-letters=false",
                        "waybill.rabbitmq.declare.queues[0].dead-letter-exchange=shop.dead",
                        "waybill.rabbitmq.declare.queues[0].arguments.x-delivery-limit=20")
                .run(context -> {
                    publishAndConsume(context, "first");
                    publish(context, "hopeless");
                    await().atMost(PATIENCE).until(() -> vhost.depth("invoices.dead") == 1);
                });
    }

    @Test
    void aBrokerThatIsAwayAtTheStartHasItDeclaredWhenItComes(CapturedOutput output) {
        try (FaultProxy proxy = FaultProxy.to(server)) {
            proxy.refuse();
            application
                    .withPropertyValues(DECLARED)
                    .withPropertyValues("spring.rabbitmq.host=" + proxy.host(), "spring.rabbitmq.port=" + proxy.port())
                    .run(context -> {
                        assertThat(output.getAll())
                                .contains("[RabbitMqTopology] Not declared yet", "port=" + proxy.port());
                        proxy.heal();
                        publishAndConsume(context, "first");
                    });
        }
    }

    @Test
    void aQueueThatIsThereWithOtherArgumentsIsOneSentence() throws IOException {
        vhost.channel().queueDeclare("invoices", true, false, false, null);
        application.withPropertyValues(DECLARED).run(context -> {
            StartUpException refusal = refusal(context.getStartupFailure());
            assertThat(refusal.property()).isEqualTo("waybill.rabbitmq.declare");
            assertThat(refusal).hasMessageContainingAll("queue invoices is there already", "x-dead-letter-exchange");
        });
    }

    @Test
    void aDeclarationWithoutANameIsRefused() {
        application
                .withPropertyValues("waybill.rabbitmq.declare.queues[0].type=classic")
                .run(context -> assertThat(refusal(context.getStartupFailure()).property())
                        .isEqualTo("waybill.rabbitmq.declare.queues[0].name"));
    }

    private List<String> namesOfQueues() {
        return vhost.resources("queues")
                .valueStream()
                .map(queue -> queue.path("name").asString())
                .toList();
    }

    private static StartUpException refusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof StartUpException refusal) {
                return refusal;
            }
        }
        throw new AssertionError("no refusal", failure);
    }

    private static void publishAndConsume(AssertableApplicationContext context, String orderNo) {
        publish(context, orderNo);
        await().atMost(PATIENCE)
                .until(() -> context.getBean(Invoicing.class).invoiced.contains(orderNo));
    }

    private static void publish(AssertableApplicationContext context, String orderNo) {
        assertThat(context).hasNotFailed();
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(
                        status -> context.getBean(Outbox.class).publish("OrderCreated", new Order(orderNo)));
    }

    public record Order(String orderNo) {}

    @Configuration(proxyBeanMethods = false)
    public static class Invoicing {

        private final List<String> invoiced = new CopyOnWriteArrayList<>();

        @WaybillListener(queue = "invoices", group = "invoices", types = "OrderCreated")
        public void write(Order order) {
            if (order.orderNo().equals("hopeless")) {
                throw new IllegalStateException("no such customer");
            }
            invoiced.add(order.orderNo());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnQueues {

        @Bean
        Declarables shopQueues() {
            TopicExchange shop = new TopicExchange("shop");
            Queue invoices = QueueBuilder.durable("invoices").quorum().build();
            Binding created = BindingBuilder.bind(invoices).to(shop).with("order.*");
            return new Declarables(shop, invoices, created);
        }

        @Bean
        Queue deadInvoices() {
            return new Queue("invoices.dead");
        }
    }
}
