package dev.waybill.peers.gruelbox;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.ThreadLocalContextTransactionManager;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.contender.AfterCommitExecutor;
import dev.waybill.contender.BenchOrder;
import dev.waybill.contender.ConfirmedSender;
import dev.waybill.contender.Contender;
import dev.waybill.contender.ContenderConfig;
import dev.waybill.contender.ContenderMain;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Pushes after commit through its submitter; a thread flushes what was left behind. */
public final class GruelboxContender implements Contender {

    private static final String UNSETTLED = "SELECT COUNT(*) FROM TXNO_OUTBOX WHERE processed = FALSE";

    /** A backlog whose first attempt is due: otherwise the drain would begin with waiting for the attempt frequency. */
    private static final String MAKE_DUE = "UPDATE TXNO_OUTBOX SET nextAttemptTime = '2000-01-01 00:00:00'";

    private @Nullable HikariDataSource pool;
    private @Nullable ConfirmedSender sends;
    private @Nullable ThreadLocalContextTransactionManager transactions;
    private @Nullable TransactionOutbox outbox;
    private @Nullable AfterCommitExecutor pushes;
    private int batch;
    private long flushNanos;

    public static void main(String[] arguments) {
        ContenderMain.run(new GruelboxContender(), arguments);
    }

    @Override
    public void open(ContenderConfig config) {
        pool = config.pool();
        ConfirmedSender confirmed = new ConfirmedSender(config);
        sends = confirmed;
        pushes = new AfterCommitExecutor(config.number("threads"));
        batch = config.number("flush-batch");
        flushNanos = Duration.ofMillis(config.number("flush-interval-ms")).toNanos();
        transactions = TransactionManager.fromDataSource(pool);
        OrderSender sender = confirmed::send;
        outbox = TransactionOutbox.builder()
                .transactionManager(transactions)
                .persistor(Persistor.forDialect(config.isPostgreSql() ? Dialect.POSTGRESQL_9 : Dialect.MY_SQL_8))
                .instantiator(Instantiator.using(type -> sender))
                .submitter(Submitter.withExecutor(pushes))
                .attemptFrequency(Duration.ofMillis(config.number("attempt-frequency-ms")))
                .flushBatchSize(batch)
                .build();
        Thread flusher = new Thread(this::flush, "flush");
        flusher.setDaemon(true);
        flusher.start();
    }

    private void flush() {
        TransactionOutbox here = Objects.requireNonNull(outbox);
        AfterCommitExecutor threads = Objects.requireNonNull(pushes);
        while (true) {
            boolean more = threads.isOpen() && threads.waiting() < batch && here.flush();
            if (!more) {
                LockSupport.parkNanos(threads.waiting() < batch ? flushNanos : 1_000_000);
            }
        }
    }

    @Override
    public void commit(List<BenchOrder> orders) throws SQLException {
        TransactionOutbox here = Objects.requireNonNull(outbox);
        Objects.requireNonNull(transactions).inTransactionThrows(transaction -> {
            BenchOrder.insert(transaction.connection(), orders);
            for (BenchOrder order : orders) {
                here.schedule(OrderSender.class).send(order.digits(), order.body());
            }
        });
        if (orders.size() > 1) {
            execute(MAKE_DUE);
        }
    }

    @Override
    public void startRelay() {
        Objects.requireNonNull(pushes).open();
    }

    @Override
    public void stopRelay() {
        Objects.requireNonNull(pushes).close();
    }

    @Override
    public long sent() {
        return Objects.requireNonNull(sends).count();
    }

    @Override
    public long unsettled() throws SQLException {
        try (Connection connection = Objects.requireNonNull(pool).getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(UNSETTLED)) {
            row.next();
            return row.getLong(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = Objects.requireNonNull(pool).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        stopRelay();
        Objects.requireNonNull(sends).close();
        Objects.requireNonNull(pool).close();
    }
}
