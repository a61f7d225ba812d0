package dev.waybill.contender;

import java.sql.SQLException;
import java.util.List;

/**
 * One way to get an event from a business transaction to the broker. It lives in a JVM of its own, whose main method is
 * {@link ContenderMain#run}. Its relay is off until it is started.
 */
public interface Contender extends AutoCloseable {

    /** Connects and creates its tables; the table of orders is there already. */
    void open(ContenderConfig config) throws SQLException;

    /** One transaction: the orders' rows and one event for each. Called by many threads at once, mostly with one order. */
    void commit(List<BenchOrder> orders) throws SQLException;

    void startRelay();

    /** Afterwards nothing is sent, also not what is committed from now on. */
    void stopRelay();

    /** Events sent since the process began, as far as it knows without asking the database; may count repeats. */
    long sent();

    /** Rows that say that their event is not out yet: the database's word, and therefore slow. */
    long unsettled() throws SQLException;

    @Override
    void close();
}
