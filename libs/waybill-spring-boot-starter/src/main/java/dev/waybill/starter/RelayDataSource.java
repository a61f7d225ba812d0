package dev.waybill.starter;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.DriverManager;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Where claims, renewals and settlements get their connections: a few of their own, so that a business pool in which nothing is
 * free costs no lease. Appends never come here, because they are part of the business transaction.
 *
 * <p>It is no DataSource bean, so that the application still has as many as it declares.
 */
public final class RelayDataSource implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RelayDataSource.class);
    private static final String NAME = "waybill.relay.data-source";
    private static final String CONNECTIONS = "waybill.relay.connections";
    private static final boolean HIKARI =
            ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", RelayDataSource.class.getClassLoader());

    private static final long LONGEST_CLOSE = 2_000;

    private final DataSource dataSource;
    private final boolean spare;
    private final @Nullable Runnable closeOwn;

    private RelayDataSource(DataSource dataSource, boolean spare, @Nullable Runnable closeOwn) {
        this.dataSource = dataSource;
        this.spare = spare;
        this.closeOwn = closeOwn;
    }

    static RelayDataSource choose(ListableBeanFactory beans, DataSource business, WaybillProperties.Relay properties) {
        String wanted = properties.dataSource();
        if (wanted != null && !wanted.isBlank()) {
            return new RelayDataSource(OutboxDataSource.named(beans, NAME, wanted), true, null);
        }
        int connections = properties.connections();
        if (connections < 0) {
            throw new StartUpException(
                    CONNECTIONS,
                    CONNECTIONS + "=" + connections
                            + " cannot be used: it is at least 1, or 0 to share the business pool.",
                    "Change " + CONNECTIONS + ".",
                    null);
        }
        if (connections == 0) {
            return new RelayDataSource(business, false, null);
        }
        if (HIKARI && Hikari.isPlain(business)) {
            HikariDataSource pool = Hikari.copy(business, connections);
            return new RelayDataSource(pool, connections > 1, pool::close);
        }
        log.info(
                "[OutboxRelay] shares the connections of the business DataSource type={}: while none is free, leases are not"
                        + " renewed. {} names a DataSource of the relay's own",
                business.getClass().getName(),
                NAME);
        return new RelayDataSource(business, false, null);
    }

    public DataSource dataSource() {
        return dataSource;
    }

    /** Whether one connection can be kept for listening: from a pool that is the business's or has only one, it would be missing. */
    boolean hasOneToSpare() {
        return spare;
    }

    /** Returns soon: while the database is silent, a pool waits for connections that it was just about to make. */
    @Override
    public void close() {
        if (closeOwn != null) {
            Thread closing = new Thread(closeOwn, "waybill-relay-pool-close");
            closing.setDaemon(true);
            closing.start();
            try {
                closing.join(LONGEST_CLOSE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Loaded only where HikariCP is there. */
    private static final class Hikari {

        private static final long LONGEST_WAIT = 5_000;

        /** A subclass or a proxy may choose its connections by rules of its own, which a copy would not know. */
        static boolean isPlain(DataSource business) {
            return business.getClass() == HikariDataSource.class;
        }

        static HikariDataSource copy(DataSource business, int connections) {
            HikariConfig config = new HikariConfig();
            HikariDataSource pool = (HikariDataSource) business;
            pool.copyStateTo(config);
            config.setPoolName(pool.getPoolName() == null ? "waybill-relay" : pool.getPoolName() + "-waybill-relay");
            config.setMaximumPoolSize(connections);
            config.setMinimumIdle(0);
            config.setConnectionTimeout(Math.min(pool.getConnectionTimeout(), LONGEST_WAIT));
            config.setLeakDetectionThreshold(0); // the connection that listens is meant to stay out
            config.setInitializationFailTimeout(-1); // the business pool decides whether a start needs the database
            int loginTimeout = DriverManager.getLoginTimeout();
            try {
                return new HikariDataSource(config);
            } finally {
                DriverManager.setLoginTimeout(loginTimeout); // a pool sets it for the whole JVM
            }
        }
    }
}
