package dev.waybill.alert;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;

/** Posts notices to an address. Another answer than 2xx is a failure, and so is a refusal that the answer tells of. */
public final class WebhookSink implements AlertSink {

    private static final int LONGEST_ANSWER = 4_096;

    private final URI address;
    private final WebhookFormat format;
    private final int timeoutMillis;

    /**
     * Makes the sink; connects to nothing yet.
     *
     * @param timeout how long to wait for a connection, and then for the answer
     */
    public WebhookSink(URI address, WebhookFormat format, Duration timeout) {
        String scheme = address.getScheme();
        if (!"http".equals(scheme) && !"https".equals(scheme)) {
            throw new IllegalArgumentException("a webhook's address begins with http:// or https://, this one with "
                    + scheme); // the rest is a secret
        }
        this.address = address;
        this.format = format;
        this.timeoutMillis = (int) Math.max(1, Math.min(Integer.MAX_VALUE, timeout.toMillis()));
    }

    @Override
    public String name() {
        return "webhook";
    }

    /** The address may hold a secret, so that no message shows more of it than the host. */
    @Override
    public void tell(AlertNotice notice) {
        try {
            post(format.body(notice));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the webhook at " + address.getHost() + " did not answer: "
                            + e.getClass().getSimpleName(),
                    e);
        }
    }

    private void post(byte[] body) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
        try {
            connection.setConnectTimeout(timeoutMillis);
            connection.setReadTimeout(timeoutMillis);
            connection.setInstanceFollowRedirects(false);
            connection.setRequestMethod("POST");
            connection.setRequestProperty("Content-Type", "application/json; charset=utf-8");
            connection.setDoOutput(true);
            connection.setFixedLengthStreamingMode(body.length);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(body);
            }
            int status = connection.getResponseCode();
            if (status / 100 != 2) {
                throw new IllegalStateException("the webhook at " + address.getHost() + " answered " + status);
            }
            try (InputStream in = connection.getInputStream()) {
                String refusal = format.refusal(in.readNBytes(LONGEST_ANSWER));
                if (refusal != null) {
                    throw new IllegalStateException("the webhook at " + address.getHost() + " refused: " + refusal);
                }
            }
        } finally {
            connection.disconnect();
        }
    }
}
