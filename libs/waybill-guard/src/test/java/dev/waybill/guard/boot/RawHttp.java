package dev.waybill.guard.boot;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** HTTP over a bare socket, because no proper client would send what these tests send. */
final class RawHttp implements AutoCloseable {

    record RawReply(int status, String contentType, String text) {}

    private final int port;
    private Socket socket = new Socket();
    private InputStream in = InputStream.nullInputStream();

    RawHttp(int port) {
        this.port = port;
    }

    /** Sends the bytes and reads one answer, on the open connection if the server still has it. */
    RawReply exchange(byte[] request, boolean closeAfter) throws IOException {
        if (!socket.isConnected() || socket.isClosed()) {
            connect();
        }
        try {
            socket.getOutputStream().write(request);
            socket.getOutputStream().flush();
        } catch (IOException refusedWhileSending) {
            // The server may answer and close before it has read everything; its answer is still there to be read.
        }
        RawReply answered = read();
        if (closeAfter) {
            socket.close();
        }
        return answered;
    }

    private void connect() throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    private RawReply read() throws IOException {
        String statusLine = line();
        int status = Integer.parseInt(statusLine.split(" ", 3)[1]);
        int length = -1;
        boolean chunked = false;
        boolean close = false;
        String type = "";
        for (String header = line(); !header.isEmpty(); header = line()) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(lower.substring(15).strip());
            } else if (lower.startsWith("transfer-encoding:")) {
                chunked = lower.contains("chunked");
            } else if (lower.startsWith("connection:")) {
                close = lower.contains("close");
            } else if (lower.startsWith("content-type:")) {
                type = lower.substring(13).strip();
            }
        }
        byte[] body =
                chunked ? chunks() : length >= 0 ? in.readNBytes(length) : close ? in.readAllBytes() : new byte[0];
        if (close) {
            socket.close();
        }
        return new RawReply(status, type, new String(body, StandardCharsets.UTF_8));
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
