package dev.waybill.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.SocketConfigurator;
import dev.waybill.message.LogText;
import dev.waybill.transport.TransportException;
import java.io.IOException;
import java.net.Socket;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt to connect. Keeps hold of the socket, because closing it is the only way to end a handshake or a write
 * that hangs: the client's own close waits for the lock that the hanging thread holds.
 */
final class ConnectionAttempt {

    private static final Logger log = LoggerFactory.getLogger(ConnectionAttempt.class);
    private static final int CLOSE_MILLIS = 300;

    private final RabbitMqSettings settings;
    private volatile @Nullable Socket socket;
    private volatile boolean givenUp;
    private @Nullable String refusal; // of the thread that connects
    private boolean refusalMayPass;

    ConnectionAttempt(RabbitMqSettings settings) {
        this.settings = settings;
    }

    Connection connect() throws IOException, TimeoutException {
        ConnectionFactory factory = settings.factory().clone();
        SocketConfigurator configurator = factory.getSocketConfigurator();
        factory.setSocketConfigurator(fresh -> {
            configurator.configure(fresh);
            socket = fresh;
            if (givenUp) {
                fresh.close();
            }
        });
        Connection connection = factory.newConnection(null, settings.addresses(), "waybill-" + settings.name());
        declare(connection);
        return connection;
    }

    /** Without its topology a connection is of no use, unless the broker itself keeps it from being declared. */
    private void declare(Connection connection) throws IOException {
        String before = refusal;
        try {
            settings.topology().declare(connection);
            refusal = null;
            refusalMayPass = false;
        } catch (TransportException e) {
            refusal = String.valueOf(e.getMessage());
            refusalMayPass = !RabbitMqTopology.refusals(e).stream().allMatch(RabbitMqTopology::isDifference);
            if (!refusal.equals(before)) {
                log.error(
                        "[RabbitMqTopology] Declaration refused, going on with what the broker has{} cause={}",
                        refusalMayPass
                                ? "; a consumer's connection tries again now and then, a sender's next one does"
                                : "",
                        LogText.sentence(refusal));
            }
        } catch (IOException | RuntimeException e) {
            connection.abort(CLOSE_MILLIS);
            throw e;
        }
    }

    /** On the thread that connected: what was refused because something was missing may be possible by now. */
    void declareRefused(Connection connection) throws IOException {
        if (refusalMayPass) {
            declare(connection);
            if (refusal == null) {
                log.info("[RabbitMqTopology] Declared what the broker refused before");
            }
        }
    }

    Socket socket() {
        return Objects.requireNonNull(socket, "connected without a socket");
    }

    void abort() {
        givenUp = true;
        Socket pending = socket;
        if (pending != null) {
            try {
                pending.close();
            } catch (IOException e) {
                return; // it is as closed as it will ever be
            }
        }
    }
}
