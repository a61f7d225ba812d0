package dev.waybill.servers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/** One short exchange over plain TCP, so that probing a server needs none of its drivers. */
final class TcpExchange {

    /** A server that takes longer is not there, as far as a probe is concerned. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final int PATIENCE_MILLIS = (int) PATIENCE.toMillis();

    private TcpExchange() {}

    /** Sends the request and returns exactly this many bytes of the answer, fewer if the server closes. */
    static byte[] ask(String host, int port, byte[] request, int bytes) throws IOException {
        try (var socket = connect(host, port)) {
            socket.getOutputStream().write(request);
            return socket.getInputStream().readNBytes(bytes);
        }
    }

    static Socket connect(String host, int port) throws IOException {
        var socket = new Socket();
        try {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(host, port), PATIENCE_MILLIS);
            return socket;
        } catch (IOException refused) {
            socket.close();
            throw refused;
        }
    }
}
