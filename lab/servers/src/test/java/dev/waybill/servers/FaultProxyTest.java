package dev.waybill.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultProxyTest {

    private Echo echo;
    private FaultProxy proxy;

    @BeforeEach
    void open() throws IOException {
        echo = new Echo();
        proxy = FaultProxy.to("127.0.0.1", echo.listener.getLocalPort());
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        echo.listener.close();
    }

    @Test
    void bytesPassBothWaysAndAnOrderlyEndStaysOrderly() throws IOException {
        try (var client = connect()) {
            assertThat(say(client, "hello")).isEqualTo("hello");
            client.shutdownOutput();
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
        Awaitility.await().until(() -> proxy.connections() == 0);
    }

    @Test
    void latencyIsAddedInEachDirection() throws IOException {
        try (var client = connect()) {
            say(client, "warm");
            proxy.latency(Duration.ofMillis(100));
            var start = System.nanoTime();
            say(client, "slow");
            assertThat(millisSince(start)).isBetween(200L, 2000L);
            proxy.heal();
            start = System.nanoTime();
            say(client, "fast");
            assertThat(millisSince(start)).isLessThan(200L);
        }
    }

    @Test
    void aCutIsAResetAndTheNextConnectionIsServed() throws IOException {
        try (var client = connect()) {
            say(client, "hello");
            proxy.cut();
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
        }
        try (var client = connect()) {
            assertThat(say(client, "again")).isEqualTo("again");
        }
    }

    @Test
    void refusedUntilHealed() throws IOException {
        proxy.refuse();
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
        proxy.heal();
        try (var client = connect()) {
            assertThat(say(client, "again")).isEqualTo("again");
        }
    }

    @Test
    void aBlackHoleKeepsTheConnectionAndDeliversWhenHealed() throws IOException {
        try (var client = connect()) {
            say(client, "hello");
            proxy.blackhole();
            client.setSoTimeout(300);
            assertThatThrownBy(() -> say(client, "lost")).isInstanceOf(SocketTimeoutException.class);
            proxy.heal();
            client.setSoTimeout(5000);
            assertThat(new String(client.getInputStream().readNBytes(4), StandardCharsets.UTF_8))
                    .isEqualTo("lost");
        }
    }

    @Test
    void bytesAfterTheLimitVanish() throws IOException {
        try (var client = connect()) {
            say(client, "hello");
            proxy.swallowAfter(3);
            client.setSoTimeout(500);
            client.getOutputStream().write("abcdef".getBytes(StandardCharsets.UTF_8));
            assertThat(new String(client.getInputStream().readNBytes(3), StandardCharsets.UTF_8))
                    .isEqualTo("abc");
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void cutBeforeHidesTheBytesFromTheServer() throws Exception {
        try (var client = connect()) {
            say(client, "hello");
            var cut = proxy.cutBefore(FaultProxy.COMMIT);
            assertThat(say(client, "SET autocommit=0")).hasSize(16);
            // Split over two packets, as TCP may do.
            client.getOutputStream().write("COM".getBytes(StandardCharsets.UTF_8));
            assertThat(client.getInputStream().readNBytes(3)).hasSize(3);
            client.getOutputStream().write("MIT".getBytes(StandardCharsets.UTF_8));
            cut.get(5, TimeUnit.SECONDS);
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
            assertThat(echo.received).hasValue(5 + 16 + 3);
        }
    }

    @Test
    void cutAfterLetsTheServerAnswerButNotTheClientHear() throws Exception {
        try (var client = connect()) {
            say(client, "hello");
            var cut = proxy.cutAfter(Pattern.compile("COMMIT"));
            client.getOutputStream().write("COMMIT".getBytes(StandardCharsets.UTF_8));
            cut.get(5, TimeUnit.SECONDS);
            assertThat(echo.received).hasValue(5 + 6);
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void aServerThatIsAwayResetsTheClient() throws IOException {
        // A port that was never accepted from: closing a listener under its accepting thread may let one more in.
        var abandoned = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        abandoned.close();
        try (var lost = FaultProxy.to("127.0.0.1", abandoned.getLocalPort());
                var client = new Socket(lost.host(), lost.port())) {
            client.setSoTimeout(5000);
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
        }
    }

    private Socket connect() throws IOException {
        var socket = new Socket(proxy.host(), proxy.port());
        socket.setSoTimeout(5000);
        return socket;
    }

    private static String say(Socket client, String text) throws IOException {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        client.getOutputStream().write(bytes);
        return new String(client.getInputStream().readNBytes(bytes.length), StandardCharsets.UTF_8);
    }

    private static long millisSince(long start) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    /** Sends back what it gets, and counts it. */
    private static final class Echo {

        final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        final AtomicLong received = new AtomicLong();

        Echo() throws IOException {
            daemon(() -> {
                while (true) {
                    var socket = listener.accept();
                    daemon(() -> echo(socket));
                }
            });
        }

        private void echo(Socket socket) throws IOException {
            try (socket) {
                var buffer = new byte[4096];
                for (var length = socket.getInputStream().read(buffer);
                        length >= 0;
                        length = socket.getInputStream().read(buffer)) {
                    received.addAndGet(length);
                    socket.getOutputStream().write(buffer, 0, length);
                }
            }
        }

        private static void daemon(Work work) {
            ProxiedConnection.daemon("echo", () -> {
                try {
                    work.run();
                } catch (IOException end) {
                    // Closed by the test.
                }
            });
        }

        private interface Work {
            void run() throws IOException;
        }
    }
}
