package dev.waybill.starter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.memory.MemoryBroker;
import dev.waybill.memory.MemoryTransport;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.Relay;
import dev.waybill.rabbitmq.RabbitMqTransport;
import dev.waybill.rocketmq.RocketMqTransport;
import dev.waybill.starter.broker.BrokerAutoConfiguration;
import dev.waybill.transport.SendTarget;
import dev.waybill.transport.Transport;
import java.util.UUID;
import javax.sql.DataSource;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** What start-up refuses, and the property that each refusal names. */
class StartUpTest {

    private final ApplicationContextRunner bare = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    BrokerAutoConfiguration.class,
                    WaybillAutoConfiguration.class));

    private final ApplicationContextRunner application = bare.withPropertyValues(
            "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
            "waybill.broker=memory",
            "waybill.outbox.ddl=apply");

    @Test
    void theDefaultsStartARelay() {
        application.run(context -> {
            assertThat(context).hasSingleBean(Outbox.class).hasSingleBean(MemoryBroker.class);
            assertThat(context.getBean(Relay.class).isRunning()).isTrue();
            assertThat(context.getBean(Transport.class)).isInstanceOf(MemoryTransport.class);
        });
    }

    @Test
    void aProcessThatOnlyPublishesNeedsNoBroker() {
        application
                .withPropertyValues("waybill.relay.enabled=false")
                .withClassLoader(new FilteredClassLoader(
                        MemoryTransport.class, RabbitMqTransport.class, RocketMqTransport.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Outbox.class)
                        .doesNotHaveBean(Relay.class));
    }

    @Test
    void twoBrokersOnTheClassPathNeedAChoice() {
        application
                .withPropertyValues("waybill.broker=")
                .withClassLoader(new FilteredClassLoader(RocketMqTransport.class))
                .run(refused("waybill.broker", "[memory, rabbitmq]"));
    }

    @Test
    void noBrokerOnTheClassPathIsSaidPlainly() {
        application
                .withPropertyValues("waybill.broker=")
                .withClassLoader(new FilteredClassLoader(
                        MemoryTransport.class, RabbitMqTransport.class, RocketMqTransport.class))
                .run(refused("waybill.broker", "waybill-rabbitmq", "waybill.relay.enabled=false"));
    }

    @Test
    void aChosenBrokerThatIsAbsentIsNamed() {
        application
                .withPropertyValues("waybill.broker=rocketmq")
                .withClassLoader(new FilteredClassLoader(RocketMqTransport.class))
                .run(refused("waybill.broker", "waybill-rocketmq"));
    }

    @Test
    void oneBrokerOnTheClassPathIsTaken() {
        application
                .withPropertyValues("waybill.broker=")
                .withClassLoader(new FilteredClassLoader(MemoryTransport.class, RocketMqTransport.class))
                .run(context -> assertThat(context.getBean(Transport.class)).isInstanceOf(RabbitMqTransport.class));
    }

    @Test
    void springsOwnRabbitSettingsAreUsed() {
        application
                .withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class))
                .withPropertyValues("waybill.broker=rabbitmq", "spring.rabbitmq.addresses=nowhere.invalid:1")
                .run(context -> assertThat(context.getBean(Transport.class).probe(SendTarget.WHOLE_BROKER))
                        .isFalse());
    }

    @Test
    void aBrokenRabbitUriIsNamedWithoutItsPassword() {
        application
                .withPropertyValues("waybill.broker=rabbitmq", "waybill.rabbitmq.uri=http://me:secret@host")
                .run(context -> {
                    refused("waybill.rabbitmq.uri").accept(context);
                    assertThat(Throwables.getStackTrace(context.getStartupFailure()))
                            .doesNotContain("secret");
                });
    }

    @Test
    void rocketMqWithoutNameServersIsRefused() {
        application.withPropertyValues("waybill.broker=rocketmq").run(refused("waybill.rocketmq.name-server"));
    }

    @Test
    void twoDataSourcesNeedAChoice() {
        application
                .withUserConfiguration(TwoDataSources.class)
                .run(refused("waybill.outbox.data-source", "first", "second"));
    }

    @Test
    void aChosenDataSourceIsTaken() {
        application
                .withUserConfiguration(TwoDataSources.class)
                .withPropertyValues("waybill.outbox.data-source=second")
                .run(context -> assertThat(
                                context.getBean(OutboxDataSource.class).dataSource())
                        .isSameAs(context.getBean("second")));
    }

    @Test
    void aChosenDataSourceThatIsAbsentIsNamed() {
        application
                .withUserConfiguration(TwoDataSources.class)
                .withPropertyValues("waybill.outbox.data-source=third")
                .run(refused("waybill.outbox.data-source", "'third'", "first", "second"));
    }

    @Test
    void thePrimaryDataSourceIsTaken() {
        application
                .withUserConfiguration(PrimaryDataSource.class)
                .run(context -> assertThat(
                                context.getBean(OutboxDataSource.class).dataSource())
                        .isSameAs(context.getBean("main")));
    }

    @Test
    void noDataSourceIsSaidPlainly() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(BrokerAutoConfiguration.class, WaybillAutoConfiguration.class))
                .withPropertyValues("waybill.broker=memory")
                .run(refused("waybill.outbox.data-source", "spring.datasource.url"));
    }

    @Test
    void aMissingTableNamesThePropertyThatCreatesIt() {
        application.withPropertyValues("waybill.outbox.ddl=none").run(refused("waybill.outbox.ddl", "=apply"));
    }

    @Test
    void aMissingTableIsNoticedWithoutARelayToo() {
        application
                .withPropertyValues("waybill.outbox.ddl=print", "waybill.relay.enabled=false")
                .run(refused("waybill.outbox.ddl"));
    }

    @ParameterizedTest
    @CsvSource({
        "waybill.relay.batch, 0",
        "waybill.relay.poll-interval, 1ms",
        "waybill.relay.lease, 10ms",
        "waybill.relay.handoff-capacity, -1",
        "waybill.relay.min-window, 0",
        "waybill.relay.max-window, 1",
        "waybill.relay.settle-batch, 0",
        "waybill.relay.settle-linger, 4s",
        "waybill.relay.connections, -1",
        "waybill.relay.data-source, nobody",
        "waybill.stop-deadline, -1s",
        "waybill.retry.first, 0s",
        "waybill.retry.cap, 1s",
        "waybill.retry.jitter, 2",
        "waybill.retry.retries, -1",
        "waybill.retry.schedule, -1s",
        "waybill.retry.types.OrderCreated.jitter, 2",
        "waybill.outbox.layout, nobody",
        "waybill.outbox.table, a-b",
        "waybill.outbox.columns.biz-key, a b",
        "waybill.outbox.words.dead, a b",
        "waybill.outbox.also-claimable, a b",
        "waybill.outbox.max-payload, 0B",
        "waybill.routes.OrderCreated.topic, ''"
    })
    void aSettingThatCannotHoldIsRefusedByName(String property, String value) {
        application.withPropertyValues(property + "=" + value).run(refused(property));
    }

    @Test
    void aColumnThatTheRelayNeedsCannotBeLeftOut() {
        application.withPropertyValues("waybill.outbox.columns.due=").run(refused("waybill.outbox.columns", "DUE"));
    }

    @ParameterizedTest
    @CsvSource({
        "waybill.routes.ORDER_CREATED.topic, waybill.routes.[ORDER_CREATED].topic",
        "waybill.retry.types.ORDER_CREATED.retries, waybill.retry.types.[ORDER_CREATED].retries"
    })
    void anEventTypeThatWouldLoseCharactersIsRefused(String property, String right) {
        application.withPropertyValues(property + "=1").run(refused(property, right));
        application
                .withPropertyValues(right + "=1")
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static ContextConsumer<AssertableApplicationContext> refused(String property, String... words) {
        return context -> {
            Throwable failure = context.getStartupFailure();
            FailureAnalysis analysis = new StartUpFailureAnalyzer().analyze(failure);
            assertThat(analysis).as("a failure analysis of %s", failure).isNotNull();
            assertThat(((StartUpException) analysis.getCause()).property()).isEqualTo(property);
            assertThat(words)
                    .allSatisfy(word -> assertThat(analysis.getDescription()).contains(word));
        };
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDataSources {

        @Bean
        DataSource first() {
            return new DriverManagerDataSource("jdbc:h2:mem:first;DB_CLOSE_DELAY=-1");
        }

        @Bean
        DataSource second() {
            return new DriverManagerDataSource("jdbc:h2:mem:second;DB_CLOSE_DELAY=-1");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimaryDataSource {

        @Bean
        DataSource other() {
            return new DriverManagerDataSource("jdbc:h2:mem:other;DB_CLOSE_DELAY=-1");
        }

        @Bean
        @Primary
        DataSource main() {
            return new DriverManagerDataSource("jdbc:h2:mem:main;DB_CLOSE_DELAY=-1");
        }
    }
}
