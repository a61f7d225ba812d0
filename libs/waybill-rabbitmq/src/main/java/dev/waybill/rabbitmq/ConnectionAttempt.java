package dev.waybill.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.SocketConfigurator;
import java.io.IOException;
import java.net.Socket;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to connect. Keeps hold of the socket, because closing it is the only way to end a handshake or a write
 * that hangs: the client's own close waits for the lock that the hanging thread holds.
 */
final class ConnectionAttempt {

    private final RabbitMqSettings settings;
    private volatile @Nullable Socket socket;
    private volatile boolean givenUp;

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
        return factory.newConnection(null, settings.addresses(), "waybill-" + settings.name());
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
