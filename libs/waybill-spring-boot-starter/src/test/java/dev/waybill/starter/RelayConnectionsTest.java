package dev.waybill.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.memory.MemoryBroker;
import dev.waybill.memory.MemoryTransport;
import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.Relay;
import dev.waybill.starter.broker.BrokerAutoConfiguration;
import dev.waybill.starter.inbox.InboxAutoConfiguration;
import dev.waybill.store.InboxStore;
import dev.waybill.store.OutboxStore;
import dev.waybill.transport.SendTarget;
import dev.waybill.transport.Transport;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The relay's own connections: what a starved business pool does not stop. */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class RelayConnectionsTest {

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    BrokerAutoConfiguration.class,
                    WaybillAutoConfiguration.class,
                    InboxAutoConfiguration.class))
            .withPropertyValues(
                    "spring.datasource.url=" + url,
                    "spring.datasource.hikari.maximum-pool-size=1",
                    "waybill.broker=memory",
                    "waybill.stop-deadline=5s",
                    "waybill.outbox.ddl=apply",
                    "waybill.inbox.ddl=apply",
                    "waybill.relay.lease=1s",
                    "waybill.relay.poll-interval=100ms",
                    "waybill.default-route.topic=ORDERS");

    @Test
    void aBusinessPoolInWhichNothingIsFreeCostsNoLeaseAndStopsNoSend() {
        MemoryBroker broker = new MemoryBroker();
        SlowTransport transport = new SlowTransport(new MemoryTransport(broker));
        application.withBean(Transport.class, () -> transport).run(context -> {
            publish(context.getBean(PlatformTransactionManager.class), context.getBean(Outbox.class));
            await().until(() -> transport.sends.get() == 1);
            Relay relay = context.getBean(Relay.class);
            InboxStore inbox = context.getBean(InboxStore.class);
            DataSource business = context.getBean(DataSource.class);
            try (Connection held = business.getConnection()) {
                assertThat(held.isValid(1)).isTrue();
                long waitedFor = System.nanoTime() + Duration.ofSeconds(4).toNanos(); // four leases
                insertFromOutside();
                await().atMost(Duration.ofSeconds(30)).until(() -> transport.sends.get() == 2);
                await().atMost(Duration.ofSeconds(30)).until(() -> System.nanoTime() > waitedFor);
                assertThat(relay.stats().leasesLost()).isZero();
                transport.confirm();
                await().atMost(Duration.ofSeconds(30))
                        .until(() ->
                                context.getBean(OutboxStore.class).backlog().sent() == 2);
                assertThat(inbox.answers())
                        .as("a busy pool is not a database that is down")
                        .isTrue();
            }
            assertThat(transport.sends.get()).as("nothing was sent twice").isEqualTo(2);
        });
    }

    @Test
    void theRelaysPoolIsSmallNoBeanAndClosedWithTheApplication() {
        HikariDataSource[] pool = new HikariDataSource[1];
        application.run(context -> {
            assertThat(context).hasSingleBean(DataSource.class);
            pool[0] = (HikariDataSource) context.getBean(RelayDataSource.class).dataSource();
            assertThat(pool[0].getMaximumPoolSize()).isEqualTo(5);
            assertThat(pool[0].getJdbcUrl()).isEqualTo(url);
        });
        assertThat(pool[0].isClosed()).isTrue();
    }

    @Test
    void itCanBeSharedNamedOrIsSharedWithALineWhereItCannotBeCopied(CapturedOutput output) {
        application
                .withPropertyValues("waybill.relay.connections=0")
                .run(context -> assertThat(
                                context.getBean(RelayDataSource.class).dataSource())
                        .isSameAs(context.getBean(DataSource.class)));
        DataSource named = new DriverManagerDataSource(url, "sa", "");
        application
                .withPropertyValues("waybill.relay.data-source=relay")
                .withBean(
                        "relay",
                        DataSource.class,
                        () -> named,
                        definition -> ((org.springframework.beans.factory.support.AbstractBeanDefinition) definition)
                                .setDefaultCandidate(false))
                .run(context -> {
                    assertThat(context.getBean(RelayDataSource.class).dataSource())
                            .isSameAs(named);
                    assertThat(context.getBean(OutboxDataSource.class).dataSource())
                            .isInstanceOf(HikariDataSource.class);
                });
        assertThat(output).doesNotContain("[OutboxRelay] shares");

        DataSource other = new DriverManagerDataSource(url + ";DB_CLOSE_DELAY=-1");
        application
                .withBean("other", DataSource.class, () -> other)
                .run(context -> assertThat(
                                context.getBean(RelayDataSource.class).dataSource())
                        .isSameAs(other));
        assertThat(output)
                .containsOnlyOnce("[OutboxRelay] shares the connections of the business DataSource")
                .contains("waybill.relay.data-source names");
    }

    private static void publish(PlatformTransactionManager manager, Outbox outbox) {
        new TransactionTemplate(manager)
                .executeWithoutResult(status -> outbox.publish(Event.builder("OrderCreated")
                        .destination(Destination.of("ORDERS"))
                        .build()));
    }

    /** As another process does that publishes into the same table. */
    private void insertFromOutside() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, "sa", "")) {
            new JdbcTemplate(new org.springframework.jdbc.datasource.SingleConnectionDataSource(connection, true))
                    .update(
                            "INSERT INTO waybill_outbox (event_id, event_type, schema_version, occurred_at, payload, topic,"
                                    + " tag, status, attempts, due_at, created_at) SELECT '" + UUID.randomUUID()
                                    + "', event_type, schema_version, occurred_at, payload, topic, tag, 'NEW', 0, created_at,"
                                    + " created_at FROM waybill_outbox");
        }
    }

    /** Sends at once and keeps the broker's answers back until they are wanted. */
    private static final class SlowTransport implements Transport {

        final AtomicInteger sends = new AtomicInteger();
        private final Transport target;
        private final List<Runnable> waiting = new java.util.concurrent.CopyOnWriteArrayList<>();
        private volatile boolean confirming;

        SlowTransport(Transport target) {
            this.target = target;
        }

        void confirm() {
            confirming = true;
            waiting.forEach(Runnable::run);
        }

        @Override
        public String name() {
            return target.name();
        }

        @Override
        public void start() {
            target.start();
        }

        @Override
        public void send(List<Message> batch, SendResults results) {
            sends.addAndGet(batch.size());
            target.send(batch, (index, result) -> {
                if (confirming) {
                    results.report(index, result);
                } else {
                    waiting.add(() -> results.report(index, result));
                }
            });
        }

        @Override
        public int batchLimit() {
            return target.batchLimit();
        }

        @Override
        public boolean probe(SendTarget sendTarget) {
            return target.probe(sendTarget);
        }

        @Override
        public void close() {
            target.close();
        }
    }
}
