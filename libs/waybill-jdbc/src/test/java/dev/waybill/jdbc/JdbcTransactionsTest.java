package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.store.NoTransactionException;
import dev.waybill.store.StoreException;
import dev.waybill.store.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JdbcTransactionsTest {

    private final JdbcDataSource h2 = new JdbcDataSource();
    private final JdbcTransactions transactions = new JdbcTransactions(h2);
    private final List<String> reported = new ArrayList<>();

    @BeforeEach
    void anEmptyTable() throws SQLException {
        h2.setURL("jdbc:h2:mem:" + getClass().getSimpleName() + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
        transactions.run(connection -> connection.createStatement().execute("CREATE TABLE t (n INT)"));
    }

    private Transactions.Observer join() {
        return transactions.join(this, Transactions.Observer.class, this::observer);
    }

    private Transactions.Observer observer() {
        return new Transactions.Observer() {
            @Override
            public void savepoint(Object savepoint) {
                reported.add("savepoint");
            }

            @Override
            public void rolledBackTo(Object savepoint) {
                reported.add("rolledBackTo");
            }

            @Override
            public void committed() {
                reported.add("committed");
            }

            @Override
            public void notCommitted() {
                reported.add("notCommitted");
            }
        };
    }

    private void insert(Connection connection) throws SQLException {
        connection.createStatement().execute("INSERT INTO t VALUES (1)");
    }

    private long rows() throws SQLException {
        return transactions.<Long, RuntimeException>call(connection -> {
            try (var result = connection.createStatement().executeQuery("SELECT COUNT(*) FROM t")) {
                result.next();
                return result.getLong(1);
            }
        });
    }

    @Test
    void returningCommits() throws SQLException {
        transactions.run(connection -> {
            insert(connection);
            assertThat(join()).isSameAs(join());
        });

        assertThat(reported).containsExactly("committed");
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void throwingRollsBack() throws SQLException {
        assertThatThrownBy(() -> transactions.run(connection -> {
                    insert(connection);
                    join();
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");

        assertThat(reported).containsExactly("notCommitted");
        assertThat(rows()).isZero();
    }

    @Test
    void savepointsAreNoticed() throws SQLException {
        transactions.run(connection -> {
            join();
            insert(connection);
            Savepoint savepoint = connection.setSavepoint();
            insert(connection);
            connection.rollback(savepoint);
        });

        assertThat(reported).containsExactly("savepoint", "rolledBackTo", "committed");
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void theCallerCannotEndTheTransaction() throws SQLException {
        transactions.run(connection -> {
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(connection::commit)
                    .withMessageContaining("commit");
            assertThatExceptionOfType(SQLException.class).isThrownBy(connection::rollback);
            assertThatExceptionOfType(SQLException.class).isThrownBy(connection::close);
            assertThatExceptionOfType(SQLException.class).isThrownBy(() -> connection.setAutoCommit(true));
        });
    }

    @Test
    void aNestedCallJoins() throws SQLException {
        transactions.run(outer -> {
            join();
            transactions.run(inner -> insert(inner));
            assertThat(reported).isEmpty();
        });

        assertThat(reported).containsExactly("committed");
    }

    @Test
    void anInnerFailureDoomsTheWholeEvenIfCaught() throws SQLException {
        assertThatThrownBy(() -> transactions.run(outer -> {
                    join();
                    insert(outer);
                    assertThatThrownBy(() -> transactions.run(inner -> {
                                throw new IllegalStateException("inner");
                            }))
                            .hasMessage("inner");
                }))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("rolled back");

        assertThat(reported).containsExactly("notCommitted");
        assertThat(rows()).isZero();
    }

    @Test
    void aCommitThatFailsOrEndsUnknownIsNoCommit() {
        JdbcTransactions broken = new JdbcTransactions(new PausingDataSource(h2, () -> {
            throw new IllegalStateException("the connection is gone");
        }));

        assertThatThrownBy(() -> broken.run(connection -> {
                    connection.prepareStatement("UPDATE t SET n = 2").executeUpdate();
                    broken.join(this, Transactions.Observer.class, this::observer);
                }))
                .hasMessage("the connection is gone");

        assertThat(reported).containsExactly("notCommitted");
    }

    @Test
    void workOfItsOwnCommitsWhenItReturns() throws SQLException {
        assertThat(transactions.<String>inTransaction(() -> {
                    join();
                    insertHere();
                    return "done";
                }))
                .isEqualTo("done");

        assertThat(rows()).isEqualTo(1);
        assertThat(reported).containsExactly("committed");
    }

    @Test
    void whatTheWorkThrowsPassesThroughAfterTheRollback() throws SQLException {
        IllegalStateException thrown = new IllegalStateException("no");

        assertThatThrownBy(() -> transactions.inTransaction(() -> {
                    insertHere();
                    throw thrown;
                }))
                .isSameAs(thrown);

        assertThat(rows()).isZero();
    }

    @Test
    void workOfItsOwnLeavesTheThreadsOtherTransactionAlone() throws SQLException {
        assertThatThrownBy(() -> transactions.run(outer -> {
                    transactions.inTransaction(() -> {
                        insertHere();
                        return true;
                    });
                    assertThat(transactions.current()).isSameAs(outer);
                    insert(outer);
                    throw new IllegalStateException("only the outer one is undone");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void aBeginOrCommitThatFailsIsAStoreException() {
        JdbcDataSource gone = new JdbcDataSource();
        gone.setURL("jdbc:h2:tcp://127.0.0.1:1/nowhere");

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> new JdbcTransactions(gone).inTransaction(() -> true))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.UNAVAILABLE));
        assertThatExceptionOfType(StoreException.class)
                .as("the commit finds that joined work failed")
                .isThrownBy(() -> transactions.inTransaction(() -> {
                    assertThatThrownBy(() -> transactions.run(inner -> {
                                throw new IllegalStateException("inner");
                            }))
                            .isInstanceOf(IllegalStateException.class);
                    return true;
                }));
    }

    private void insertHere() {
        try {
            insert(transactions.current());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void withoutATransactionTheErrorNamesTheFix() {
        assertThatExceptionOfType(NoTransactionException.class)
                .isThrownBy(transactions::current)
                .withMessageContaining("JdbcTransactions.run");
    }
}
