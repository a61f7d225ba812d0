package dev.waybill.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Redis with a password; there is nothing fresh to be had, so tests choose key prefixes of their own. */
public final class Redis extends ServerHandle {

    Redis(Checkout checkout, Address address) {
        super(checkout, Server.REDIS, address);
    }

    /** {@code redis://:password@host:port}. */
    public String url() {
        var password = password().isEmpty() ? "" : ":" + password() + "@";
        return "redis://" + password + host() + ":" + port();
    }

    @Override
    public boolean answers() {
        try {
            var request = "PING\r\n".getBytes(StandardCharsets.US_ASCII);
            var answer = new String(TcpExchange.ask(host(), port(), request, 5), StandardCharsets.US_ASCII);
            // Without a password the answer is NOAUTH: alive. LOADING is not.
            return answer.startsWith("+PONG") || answer.startsWith("-NOAU");
        } catch (IOException refused) {
            return false;
        }
    }

    @Override
    void removeLeftovers() {}
}
