package dev.waybill.servers.rocketmq;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.apache.rocketmq.store.DefaultMessageStore;
import org.apache.rocketmq.store.config.BrokerRole;
import org.apache.rocketmq.store.config.MessageStoreConfig;
import org.apache.rocketmq.store.ha.DefaultHAConnection;
import org.apache.rocketmq.store.ha.DefaultHAService;
import org.apache.rocketmq.store.ha.HAConnection;
import org.jspecify.annotations.Nullable;

/**
 * Listens for slaves on loopback, where RocketMQ would bind every interface; a broker without replicas does not listen at
 * all. Found by the store through {@code META-INF/service}.
 */
public final class LoopbackReplication extends DefaultHAService {

    @Override
    public void init(DefaultMessageStore store) throws IOException {
        super.init(store);
        acceptSocketService = new LoopbackAcceptor(store.getMessageStoreConfig());
    }

    @Override
    public void start() throws Exception {
        if (isReplicated()) {
            super.start();
        }
    }

    @Override
    public void shutdown() {
        if (isReplicated()) {
            super.shutdown();
        }
    }

    private boolean isReplicated() {
        return getDefaultMessageStore().getMessageStoreConfig().getBrokerRole() != BrokerRole.ASYNC_MASTER;
    }

    private final class LoopbackAcceptor extends AcceptSocketService {

        private final int port;
        private @Nullable ServerSocketChannel listening;

        LoopbackAcceptor(MessageStoreConfig config) {
            super(config);
            this.port = config.getHaListenPort();
        }

        @Override
        public void beginAccept() throws IOException {
            listening = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }

        @Override
        public void run() {
            ServerSocketChannel channel = listening;
            while (channel != null && !isStopped()) {
                try {
                    HAConnection connection = createConnection(channel.accept());
                    addConnection(connection);
                    connection.start();
                } catch (ClosedChannelException closed) {
                    return;
                } catch (IOException broken) {
                    System.err.println("a slave came and went: " + broken);
                }
            }
        }

        @Override
        public void shutdown(boolean interrupt) {
            super.shutdown(interrupt);
            try {
                if (listening != null) {
                    listening.close();
                }
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }

        @Override
        protected HAConnection createConnection(SocketChannel slave) throws IOException {
            return new DefaultHAConnection(LoopbackReplication.this, slave);
        }

        @Override
        public String getServiceName() {
            return LoopbackAcceptor.class.getSimpleName();
        }
    }
}
