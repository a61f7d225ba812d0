package dev.waybill.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.memory.MemoryBroker;
import dev.waybill.outbox.Outbox;
import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.starter.shop.Propagation;
import dev.waybill.store.NoTransactionException;
import dev.waybill.store.OutboxStore;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** Orders and their outbox on MariaDB, an audit on PostgreSQL, each with a transaction manager of its own. */
@Servers({Server.MARIADB, Server.POSTGRESQL})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TwoDataSourcesTest {

    private ConfigurableApplicationContext context;
    private Outbox outbox;
    private Propagation orders;
    private Propagation audit;

    /** The orders' connections do not commit by themselves: an event on a borrowed one would be lost without an error. */
    @BeforeAll
    void start(MariaDb mariaDb, PostgreSql postgreSql) {
        Database forOrders = mariaDb.freshDatabase();
        Database forAudit = postgreSql.freshDatabase();
        context = new SpringApplicationBuilder(TwoDataSources.class)
                .web(WebApplicationType.NONE)
                .initializers(beans -> {
                    register((GenericApplicationContext) beans, "orders", () -> pool(forOrders, false));
                    register((GenericApplicationContext) beans, "audit", () -> pool(forAudit, true));
                })
                .properties(
                        "waybill.outbox.data-source=orders",
                        "waybill.outbox.ddl=apply",
                        "waybill.broker=memory",
                        "waybill.default-route.topic=orders",
                        "waybill.relay.lease=1s",
                        "waybill.relay.poll-interval=100ms")
                .run();
        outbox = context.getBean(Outbox.class);
        orders = new Propagation(context.getBean("ordersManager", DataSourceTransactionManager.class));
        audit = new Propagation(context.getBean("auditManager", DataSourceTransactionManager.class));
    }

    @AfterAll
    void stop() {
        context.close();
    }

    @Test
    void aTransactionOfTheOtherDataSourceIsRefusedAndTheErrorNamesTheFix() {
        assertThatThrownBy(() -> audit.required(status -> publish()))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("transactionManager")
                .hasMessageContaining("waybill.outbox.data-source");
    }

    @Test
    void aConnectionBorrowedBesideTheOthersTransactionIsNoTransaction() {
        assertThatThrownBy(() -> audit.required(status -> {
                    new JdbcTemplate(context.getBean("orders", DataSource.class)).execute("SELECT 1");
                    publish();
                }))
                .isInstanceOf(NoTransactionException.class);
        expectExactlyTheCommittedRows();
    }

    @Test
    void whatCommitsInsideTheOthersRolledBackTransactionIsSent() {
        String event = inside(false, true);
        expectExactlyTheCommittedRows();
        assertThat(arrived()).contains(event);
    }

    @Test
    void whatRollsBackInsideTheOthersCommittedTransactionIsNot() {
        String event = inside(true, false);
        expectExactlyTheCommittedRows();
        assertThat(arrived()).doesNotContain(event);
    }

    @Test
    void theOthersTransactionInsideOursChangesNothing() {
        String[] event = new String[1];
        orders.required(outer -> {
            event[0] = publish();
            audit.required(inner -> inner.setRollbackOnly());
        });
        expectExactlyTheCommittedRows();
        assertThat(arrived()).contains(event[0]);
    }

    @Test
    void aReadOnlyTransactionOfTheOtherDoesNotMakeOursReadOnly() {
        String[] event = new String[1];
        audit.readOnly(outer -> orders.required(inner -> event[0] = publish()));
        expectExactlyTheCommittedRows();
        assertThat(arrived()).contains(event[0]);
    }

    private String inside(boolean outerCommits, boolean innerCommits) {
        String[] event = new String[1];
        audit.required(outer -> {
            orders.required(inner -> {
                event[0] = publish();
                if (!innerCommits) {
                    inner.setRollbackOnly();
                }
            });
            if (!outerCommits) {
                outer.setRollbackOnly();
            }
        });
        return event[0];
    }

    private String publish() {
        return outbox.publish("OrderCreated", "{\"order\":\"" + UUID.randomUUID() + "\"}");
    }

    private void expectExactlyTheCommittedRows() {
        orders.required(status -> publish());
        await().atMost(Duration.ofSeconds(20))
                .until(() -> context.getBean(OutboxStore.class).backlog().waiting() == 0);
        assertThat(arrived())
                .containsExactlyInAnyOrderElementsOf(new JdbcTemplate(context.getBean("orders", DataSource.class))
                        .queryForList("SELECT event_id FROM waybill_outbox", String.class));
    }

    private List<String> arrived() {
        return context.getBean(MemoryBroker.class).read("orders").stream()
                .map(delivery -> delivery.message().event().eventId())
                .toList();
    }

    private static void register(GenericApplicationContext beans, String name, Supplier<DataSource> maker) {
        beans.registerBean(name, DataSource.class, maker);
    }

    private static DataSource pool(Database database, boolean autoCommit) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(database.jdbcUrl());
        pool.setUsername(database.user());
        pool.setPassword(database.password());
        pool.setMaximumPoolSize(5);
        pool.setAutoCommit(autoCommit);
        return pool;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            excludeName = {
                "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
                "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration"
            })
    static class TwoDataSources {

        @Bean
        DataSourceTransactionManager ordersManager(@Qualifier("orders") DataSource orders) {
            return new DataSourceTransactionManager(orders);
        }

        @Bean
        DataSourceTransactionManager auditManager(@Qualifier("audit") DataSource audit) {
            return new DataSourceTransactionManager(audit);
        }
    }
}
