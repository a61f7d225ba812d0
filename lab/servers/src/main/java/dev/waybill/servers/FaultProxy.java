package dev.waybill.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on loopback that can be told to misbehave. Faults apply to open connections and to new ones until
 * {@link #heal()}; cuts are resets (RST), as after a crash, not orderly ends.
 */
public final class FaultProxy implements AutoCloseable {

    /** COMMIT as a statement of its own, not as part of "autocommit". */
    public static final Pattern COMMIT = Pattern.compile("(?<!auto)commit", Pattern.CASE_INSENSITIVE);

    private final String targetHost;
    private final int targetPort;
    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
    private final Faults faults = new Faults();
    private final int port;
    private ServerSocket listener;
    private Thread acceptor;
    private boolean closed;

    private FaultProxy(String targetHost, int targetPort) throws IOException {
        this.targetHost = targetHost;
        this.targetPort = targetPort;
        this.listener = listen(0);
        this.port = listener.getLocalPort();
        this.acceptor = acceptFrom(listener);
    }

    public static FaultProxy to(String host, int port) {
        try {
            return new FaultProxy(host, port);
        } catch (IOException refused) {
            throw new UncheckedIOException("No port for a proxy to " + host + ":" + port, refused);
        }
    }

    public static FaultProxy to(ServerHandle server) {
        return to(server.host(), server.port());
    }

    public String host() {
        return "127.0.0.1";
    }

    public int port() {
        return port;
    }

    /** Connections open at this moment. */
    public int connections() {
        return connections.size();
    }

    /** Delays every byte by this much in each direction, without limiting the rate. */
    public void latency(Duration eachWay) {
        faults.latencyNanos = eachWay.toNanos();
    }

    /** Resets every open connection; new ones are served. */
    public void cut() {
        connections.forEach(ProxiedConnection::reset);
    }

    /** Resets every open connection, and new ones are refused. */
    public synchronized void refuse() {
        stopListening();
        cut();
    }

    /** Stops reading on both sides: connections stay open, new ones are accepted, and nothing moves. */
    public void blackhole() {
        faults.blackhole(true);
    }

    /** Forwards this many more bytes from client to server on each connection; the rest vanishes. */
    public void swallowAfter(long bytes) {
        connections.forEach(ProxiedConnection::startCounting);
        faults.swallowAfter = bytes;
    }

    /**
     * The next time a client sends something that contains the pattern, its connection is reset and the server never sees
     * those bytes. The future completes when that has happened.
     */
    public CompletableFuture<Void> cutBefore(Pattern pattern) {
        return faults.arm(new Trap(pattern, Trap.Moment.BEFORE_FORWARDING));
    }

    /**
     * The next time a client sends something that contains the pattern, the server gets it and answers; the answer is
     * dropped and the client's connection is reset. The future completes when that has happened.
     */
    public CompletableFuture<Void> cutAfter(Pattern pattern) {
        return faults.arm(new Trap(pattern, Trap.Moment.AFTER_THE_ANSWER));
    }

    /** Back to plain forwarding: no latency, no traps, black holes and swallowing end, refused clients are let in. */
    public synchronized void heal() {
        faults.clear();
        if (listener.isClosed() && !closed) {
            try {
                listener = listen(port);
            } catch (IOException taken) {
                throw new UncheckedIOException("Port " + port + " was taken while it refused connections", taken);
            }
            acceptor = acceptFrom(listener);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        stopListening();
        faults.clear();
        cut();
    }

    private static ServerSocket listen(int port) throws IOException {
        var socket = new ServerSocket();
        socket.setReuseAddress(true);
        // Without a timeout, a thread blocked in accept() may take one more client after close(), and lose it.
        socket.setSoTimeout((int) Duration.ofMinutes(1).toMillis());
        socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port), 256);
        return socket;
    }

    private Thread acceptFrom(ServerSocket from) {
        return ProxiedConnection.daemon("fault-proxy-" + port, () -> {
            while (true) {
                try {
                    open(from.accept());
                } catch (SocketTimeoutException quiet) {
                    // Only there because with a timeout accept() polls; see listen().
                } catch (IOException end) {
                    return; // refuse() or close()
                }
            }
        });
    }

    private void open(Socket client) {
        var server = new Socket();
        try {
            server.connect(new InetSocketAddress(targetHost, targetPort), 5000);
            new ProxiedConnection(client, server, faults, connections).start();
        } catch (IOException refused) {
            ProxiedConnection.reset(server);
            ProxiedConnection.reset(client);
        }
    }

    /** Returns when the kernel has let go of the port, which it does when the accepting thread does. */
    private void stopListening() {
        try {
            listener.close();
            acceptor.join(Duration.ofSeconds(5).toMillis());
        } catch (IOException ignored) {
            // Nothing is left to be done with it.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The faults in force, shared by all connections of one proxy. */
    static final class Faults {

        static final long NEVER = Long.MAX_VALUE;

        volatile long latencyNanos;
        volatile long swallowAfter = NEVER;
        private final AtomicReference<@Nullable Trap> trap = new AtomicReference<>();
        private boolean blackhole;

        synchronized void blackhole(boolean on) {
            blackhole = on;
            notifyAll();
        }

        synchronized void awaitLight() throws InterruptedException {
            while (blackhole) {
                wait();
            }
        }

        CompletableFuture<Void> arm(Trap next) {
            trap.set(next);
            return next.sprung();
        }

        boolean isArmed() {
            return trap.get() != null;
        }

        /** The armed trap, taken away, if this text springs it. */
        @Nullable Trap spring(String text) {
            var armed = trap.get();
            return armed != null && armed.pattern().matcher(text).find() && trap.compareAndSet(armed, null)
                    ? armed
                    : null;
        }

        void clear() {
            latencyNanos = 0;
            swallowAfter = NEVER;
            trap.set(null);
            blackhole(false);
        }
    }

    /** What to wait for in the bytes that a client sends, and when to cut. */
    record Trap(Pattern pattern, Moment moment, CompletableFuture<Void> sprung) {

        enum Moment {
            BEFORE_FORWARDING,
            AFTER_THE_ANSWER
        }

        Trap(Pattern pattern, Moment moment) {
            this(pattern, moment, new CompletableFuture<>());
        }
    }
}
