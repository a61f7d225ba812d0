package dev.waybill.servicetestkit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** HTTP over a bare socket to this machine, because no proper client would send what the tests send. */
public final class RawHttp implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 30_000;
    private static final int GO_ON = 100;

    /** An answer; the names of its headers are in lower case. */
    public record RawReply(int status, Map<String, String> headers, String text) {

        public String contentType() {
            return header("content-type");
        }

        /** Empty where it is absent. */
        public String header(String name) {
            return headers.getOrDefault(name, "");
        }

        boolean closes() {
            return header("connection").contains("close");
        }
    }

    private final int port;
    private Socket socket = new Socket();
    private InputStream in = InputStream.nullInputStream();

    public RawHttp(int port) {
        this.port = port;
    }

    /** Sends the bytes and reads one answer, on the open connection if the server still has it. */
    public RawReply exchange(byte[] request, boolean closeAfter) throws IOException {
        send(request);
        RawReply answered = receive();
        if (closeAfter) {
            socket.close();
        }
        return answered;
    }

    /** Sends the text as Latin-1 and reads one answer. */
    public RawReply exchange(String request) throws IOException {
        return exchange(request.getBytes(StandardCharsets.ISO_8859_1), false);
    }

    /** Sends bytes, of which more may follow. */
    public void send(byte[] bytes) throws IOException {
        if (!socket.isConnected() || socket.isClosed()) {
            connect();
        }
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        } catch (IOException refusedWhileSending) {
            // The server may answer and close before it has read everything; its answer is still there to be read.
        }
    }

    /** Sends the text as Latin-1, of which more may follow. */
    public void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Tells the server that nothing more comes; its answer can still be read. */
    public void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    private void connect() throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** Reads the next answer, behind those that only say that the server goes on. */
    public RawReply receive() throws IOException {
        RawReply head = receiveHead();
        while (head.status() == GO_ON) {
            head = receiveHead();
        }
        byte[] body = body(head);
        if (head.closes()) {
            socket.close();
        }
        return new RawReply(head.status(), head.headers(), new String(body, StandardCharsets.UTF_8));
    }

    /** Reads an answer without its body: to a HEAD, or one that says that the server goes on. */
    public RawReply receiveHead() throws IOException {
        int status = Integer.parseInt(line().split(" ", 3)[1]);
        Map<String, String> headers = new TreeMap<>();
        for (String header = line(); !header.isEmpty(); header = line()) {
            int colon = header.indexOf(':');
            headers.put(
                    header.substring(0, colon).toLowerCase(Locale.ROOT),
                    header.substring(colon + 1).strip());
        }
        return new RawReply(status, headers, "");
    }

    private byte[] body(RawReply head) throws IOException {
        if (head.header("transfer-encoding").contains("chunked")) {
            return chunks();
        }
        String length = head.header("content-length");
        if (!length.isEmpty()) {
            return in.readNBytes(Integer.parseInt(length));
        }
        return head.closes() ? in.readAllBytes() : new byte[0];
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
            body.write(in.readNBytes(size));
            line();
        }
        line();
        return body.toByteArray();
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("the server closed the connection in the middle of a line: " + line);
            }
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
