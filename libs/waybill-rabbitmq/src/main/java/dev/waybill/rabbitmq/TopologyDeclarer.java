package dev.waybill.rabbitmq;

import com.rabbitmq.client.Connection;
import java.io.IOException;

/**
 * Declares exchanges, queues and bindings. It is called with every fresh connection, before anything is sent or received on
 * it, so that a broker that lost them gets them back; declaring what is there already changes nothing.
 */
@FunctionalInterface
public interface TopologyDeclarer {

    /** For those who declare everything themselves. */
    TopologyDeclarer NOTHING = connection -> {};

    /**
     * Declares everything, on a channel of its own.
     *
     * @throws IOException if the connection was lost; it is not used then
     * @throws dev.waybill.transport.TransportException if the broker refuses a declaration; it is logged, and the
     *     connection is used with what the broker has
     */
    void declare(Connection connection) throws IOException;
}
