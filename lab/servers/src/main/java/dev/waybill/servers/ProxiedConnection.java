package dev.waybill.servers;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One client's way through a {@link FaultProxy}: a reader and a writer thread for each direction, with a queue between
 * them that holds each chunk until its latency has passed.
 */
final class ProxiedConnection {

    private static final int CHUNK = 16 * 1024;
    private static final int QUEUED_CHUNKS = 256;
    private static final int REMEMBERED_CHARACTERS = 64;
    private static final int CUT = -1;

    /** How long a thread may stay behind after its connection was reset. */
    private static final int CHECK_MILLIS = 500;

    private final Socket client;
    private final Socket server;
    private final FaultProxy.Faults faults;
    private final Set<ProxiedConnection> open;

    private String tail = "";
    private final AtomicLong forwarded = new AtomicLong();
    private volatile FaultProxy.@Nullable Trap awaitingAnswer;

    ProxiedConnection(Socket client, Socket server, FaultProxy.Faults faults, Set<ProxiedConnection> open) {
        this.client = client;
        this.server = server;
        this.faults = faults;
        this.open = open;
    }

    void start() throws IOException {
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        open.add(this);
        direction("up", client, server, this::mayGoUp);
        direction("down", server, client, this::mayGoDown);
    }

    /** Counting for {@code swallowAfter} begins when the fault is set. */
    void startCounting() {
        forwarded.set(0);
    }

    void reset() {
        open.remove(this);
        reset(client);
        reset(server);
    }

    static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0); // close() then sends RST
            socket.close();
        } catch (IOException ignored) {
            // Already gone.
        }
    }

    static Thread daemon(String name, Runnable work) {
        var thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private interface Gate {
        /** How many bytes of the chunk go on, from its start; {@link #CUT} resets the connection. */
        int pass(byte[] chunk, int length);
    }

    private record Delayed(ByteBuffer bytes, boolean isEnd, long due) {}

    private void direction(String name, Socket from, Socket to, Gate gate) {
        BlockingQueue<Delayed> queue = new LinkedBlockingQueue<>(QUEUED_CHUNKS);
        daemon("fault-proxy-read-" + name, () -> guarded(() -> read(from.getInputStream(), queue, gate)));
        daemon("fault-proxy-write-" + name, () -> guarded(() -> write(queue, to)));
    }

    private void read(InputStream in, BlockingQueue<Delayed> queue, Gate gate)
            throws IOException, InterruptedException {
        while (true) {
            var chunk = new byte[CHUNK];
            faults.awaitLight();
            var length = in.read(chunk);
            faults.awaitLight();
            var passed = length < 0 ? 0 : gate.pass(chunk, length);
            if (passed == CUT) {
                return;
            }
            var due = System.nanoTime() + faults.latencyNanos;
            var next = new Delayed(ByteBuffer.wrap(chunk, 0, passed), length < 0, due);
            while (!queue.offer(next, CHECK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (client.isClosed()) {
                    return;
                }
            }
            if (length < 0) {
                return;
            }
        }
    }

    private void write(BlockingQueue<Delayed> queue, Socket to) throws IOException, InterruptedException {
        while (!client.isClosed()) {
            var next = queue.poll(CHECK_MILLIS, TimeUnit.MILLISECONDS);
            if (next == null) {
                continue;
            }
            for (var left = next.due() - System.nanoTime(); left > 0; left = next.due() - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            faults.awaitLight();
            if (next.isEnd()) {
                end(to);
                return;
            }
            to.getOutputStream().write(next.bytes().array(), 0, next.bytes().limit());
        }
    }

    /** An orderly end stays orderly; the sockets go when both directions have ended. */
    private synchronized void end(Socket to) throws IOException {
        to.shutdownOutput();
        if (client.isOutputShutdown() && server.isOutputShutdown()) {
            open.remove(this);
            client.close();
            server.close();
        }
    }

    private int mayGoUp(byte[] chunk, int length) {
        var text = tail + new String(chunk, 0, length, StandardCharsets.ISO_8859_1);
        var trap = faults.spring(text);
        // Bytes that passed before the fault was set do not count for it.
        tail = faults.isArmed() ? text.substring(Math.max(0, text.length() - REMEMBERED_CHARACTERS)) : "";
        if (trap != null && trap.moment() == FaultProxy.Trap.Moment.BEFORE_FORWARDING) {
            return cutBy(trap);
        }
        if (trap != null) {
            awaitingAnswer = trap;
        }
        var before = forwarded.getAndAdd(length);
        return (int) Math.min(length, Math.max(0, faults.swallowAfter - before));
    }

    private int mayGoDown(byte[] chunk, int length) {
        var trap = awaitingAnswer;
        return trap == null ? length : cutBy(trap);
    }

    private int cutBy(FaultProxy.Trap trap) {
        reset();
        trap.sprung().complete(null);
        return CUT;
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private void guarded(Work work) {
        try {
            work.run();
        } catch (IOException broken) {
            reset(); // One side is gone: the other learns it the same way.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
