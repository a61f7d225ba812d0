package dev.waybill.starter.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.servers.Database;
import dev.waybill.servers.FaultProxy;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.store.StoreException;
import dev.waybill.store.StoreException.Reason;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A runner returns only after a confirmed commit, whatever happened inside. */
@Servers(Server.POSTGRESQL)
class SpringTransactionRunnerTest {

    private HikariDataSource pool;
    private FaultProxy proxy;
    private JdbcTemplate jdbc;
    private JdbcTemplate outside;
    private PlatformTransactionManager manager;
    private SpringTransactionRunner runner;

    @BeforeEach
    void open(PostgreSql postgreSql) throws Exception {
        Database database = postgreSql.freshDatabase();
        proxy = FaultProxy.to(postgreSql);
        pool = pool(postgreSql.jdbcUrl(proxy.host(), proxy.port(), database.name()) + "?prepareThreshold=0", database);
        outside = new JdbcTemplate(pool(database.jdbcUrl(), database));
        jdbc = new JdbcTemplate(pool);
        jdbc.execute("CREATE TABLE effect (id INT NOT NULL UNIQUE DEFERRABLE INITIALLY DEFERRED)");
        manager = new JdbcTransactionManager(pool);
        runner = new SpringTransactionRunner(manager, pool);
    }

    private static HikariDataSource pool(String url, Database database) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setUsername(database.user());
        pool.setPassword(database.password());
        pool.setMaximumPoolSize(2);
        pool.setConnectionTimeout(1_000);
        return pool;
    }

    @AfterEach
    void close() throws Exception {
        pool.close();
        ((HikariDataSource) outside.getDataSource()).close();
        proxy.close();
    }

    @Test
    void whatReturnsIsCommittedAndWhatThrowsIsNot() {
        assertThat(runner.inTransaction(() -> jdbc.update("INSERT INTO effect VALUES (1)")))
                .isEqualTo(1);
        assertThatThrownBy(() -> runner.inTransaction(() -> {
                    jdbc.update("INSERT INTO effect VALUES (2)");
                    throw new IllegalStateException("mine");
                }))
                .hasMessage("mine");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void itIsATransactionOfItsOwn() {
        new TransactionTemplate(manager).executeWithoutResult(status -> {
            runner.inTransaction(() -> jdbc.update("INSERT INTO effect VALUES (1)"));
            status.setRollbackOnly();
        });
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void aSwallowedFailureOfAnInnerTransactionalMethodIsAFailure() {
        assertThatThrownBy(() -> runner.inTransaction(() -> {
                    jdbc.update("INSERT INTO effect VALUES (1)");
                    try {
                        new TransactionTemplate(manager).executeWithoutResult(status -> {
                            throw new IllegalStateException("inner");
                        });
                    } catch (IllegalStateException swallowed) {
                        return 0;
                    }
                    return 1;
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("marked for rollback");
        assertThat(effects()).isZero();
    }

    @Test
    void aSwallowedFailureOfAStatementIsAFailureAlthoughTheDriverWouldReportACommit() {
        assertThatThrownBy(() -> runner.inTransaction(() -> {
                    jdbc.update("INSERT INTO effect VALUES (1)");
                    try {
                        return jdbc.update("INSERT INTO effect VALUES (NULL)");
                    } catch (DataAccessException swallowed) {
                        return 0;
                    }
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("would roll it back");
        assertThat(effects()).isZero();
    }

    @Test
    void aCommitThatTheDatabaseRefusesIsAStoreException() {
        runner.inTransaction(() -> jdbc.update("INSERT INTO effect VALUES (1)"));
        assertThatThrownBy(() -> runner.inTransaction(() -> jdbc.update("INSERT INTO effect VALUES (1)")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the commit failed");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void aLostCommitIsAStoreException() {
        CompletableFuture<Void> cut = proxy.cutBefore(FaultProxy.COMMIT);
        assertThatThrownBy(() -> runner.inTransaction(() -> jdbc.update("INSERT INTO effect VALUES (1)")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the commit failed");
        assertThat(cut).isCompleted();
        assertThat(effects()).isZero();
    }

    @Test
    void noDatabaseIsAStoreExceptionThatSaysSo() {
        pool.close();
        assertThatThrownBy(() -> runner.inTransaction(() -> 1))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNAVAILABLE));
    }

    private int effects() {
        Integer found = outside.queryForObject("SELECT count(*) FROM effect", Integer.class);
        return found == null ? 0 : found;
    }
}
