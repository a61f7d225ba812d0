package dev.waybill.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.MariaDb;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.starter.shop.Propagation;
import dev.waybill.starter.shop.RunningShop;
import dev.waybill.store.NoTransactionException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The moments around a commit. The lease is a minute here: what arrives within seconds was handed off. */
@Servers({Server.MARIADB, Server.RABBITMQ})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpringTransactionsTest {

    private static final Duration WITHIN_THE_LEASE = Duration.ofSeconds(20);

    private RunningShop running;

    @BeforeAll
    void start(MariaDb server, RabbitMq rabbitMq) throws Exception {
        running = RunningShop.start(server, rabbitMq, RunningShop.WITHOUT_JPA, "waybill.relay.lease=60s");
    }

    @AfterAll
    void stop() throws Exception {
        running.close();
    }

    @Test
    void aCommitHandsTheEventOverWithoutWaitingForTheTable() {
        AtomicReference<String> event = new AtomicReference<>();
        running.transaction().required(status -> event.set(publish()));
        arrives(event.get());
    }

    @Test
    void aFailingCallbackOfTheApplicationLosesNoHandOff() {
        AtomicReference<String> event = new AtomicReference<>();
        assertThatThrownBy(() -> running.transaction().required(status -> {
                    afterCommit(Ordered.HIGHEST_PRECEDENCE, () -> {
                        throw new IllegalStateException("the application's own mistake");
                    });
                    event.set(publish());
                }))
                .hasMessage("the application's own mistake");
        arrives(event.get());
    }

    @Test
    void publishingAfterTheCommitIsRefusedAndTheErrorNamesTheFix() {
        AtomicReference<String> event = new AtomicReference<>();
        assertThatThrownBy(() -> running.transaction().required(status -> {
                    event.set(publish());
                    afterCommit(0, this::publish);
                }))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("committed already")
                .hasMessageContaining("BEFORE_COMMIT")
                .hasMessageContaining("REQUIRES_NEW");
        arrives(event.get());
    }

    @Test
    void publishingAfterTheCommitOfATransactionWithoutEventsIsRefusedToo() {
        assertThatThrownBy(() -> running.transaction().required(status -> afterCommit(0, this::publish)))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("committed already");
    }

    @Test
    void aTransactionOfItsOwnAfterTheCommitIsFine() {
        AtomicReference<String> event = new AtomicReference<>();
        running.transaction()
                .required(status ->
                        afterCommit(0, () -> running.transaction().requiresNew(inner -> event.set(publish()))));
        arrives(event.get());
    }

    @Test
    void aManagerThatIsNoBeanIsSafeButWaitsForTheLease() {
        Propagation unknown = new Propagation(new DataSourceTransactionManager(running.bean(DataSource.class)));
        AtomicReference<String> event = new AtomicReference<>();
        unknown.required(status -> event.set(publish()));
        unknown.required(status -> {
            publish();
            status.setRollbackOnly();
        });
        AtomicReference<String> later = new AtomicReference<>();
        running.transaction().required(status -> later.set(publish()));
        arrives(later.get());
        assertThat(running.committedEvents()).contains(event.get());
        assertThat(running.arrived()).doesNotContain(event.get());
    }

    private String publish() {
        return running.shop().publish(TransactionPromises.order());
    }

    private void arrives(String event) {
        await().atMost(WITHIN_THE_LEASE).until(() -> running.arrived().contains(event));
    }

    private static void afterCommit(int order, Runnable callback) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public int getOrder() {
                return order;
            }

            @Override
            public void afterCommit() {
                callback.run();
            }
        });
    }
}
