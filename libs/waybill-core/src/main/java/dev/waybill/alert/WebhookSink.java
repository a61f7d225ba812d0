package dev.waybill.alert;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Posts notices to an address. Another answer than 2xx is a failure, and so is a refusal that the answer tells of. */
public final class WebhookSink implements AlertSink {

    private final URI address;
    private final WebhookFormat format;
    private final long timeoutMillis;
    private final HttpClient client;

    /**
     * Makes the sink; connects to nothing yet.
     *
     * @param timeout how long one notice may take, from the connection to the end of the answer
     */
    public WebhookSink(URI address, WebhookFormat format, Duration timeout) {
        String scheme = address.getScheme();
        if (!"http".equals(scheme) && !"https".equals(scheme)) {
            throw new IllegalArgumentException("a webhook's address begins with http:// or https://, this one with "
                    + scheme); // the rest is a secret
        }
        if (address.getHost() == null) {
            throw new IllegalArgumentException(
                    "a webhook's address names a host, in letters, digits, dots and hyphens");
        }
        this.address = address;
        this.format = format;
        this.timeoutMillis = Math.max(1, timeout.toMillis());
        this.client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build(); // it follows no redirects
    }

    @Override
    public String name() {
        return "webhook";
    }

    /** The address may hold a secret, so that no message shows more of it than the host. */
    @Override
    public void tell(AlertNotice notice) {
        HttpResponse<byte[]> answer = answer(HttpRequest.newBuilder(address)
                .header("Content-Type", "application/json; charset=utf-8")
                .POST(BodyPublishers.ofByteArray(format.body(notice)))
                .build());
        if (answer.statusCode() / 100 != 2) {
            throw new IllegalStateException("the webhook at " + address.getHost() + " answered " + answer.statusCode());
        }
        String refusal = format.refusal(answer.body());
        if (refusal != null) {
            throw new IllegalStateException("the webhook at " + address.getHost() + " refused: " + refusal);
        }
    }

    /** One deadline for all of it: a time-out for each read would let a receiver that trickles hold this thread for hours. */
    private HttpResponse<byte[]> answer(HttpRequest request) {
        CompletableFuture<HttpResponse<byte[]>> exchange = client.sendAsync(request, status -> new AnswerStart());
        try {
            return exchange.get(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw silent(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw silent(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw silent(e);
        } finally {
            exchange.cancel(true); // closes the connection of an exchange that is not over
        }
    }

    private UncheckedIOException silent(Throwable reason) {
        return new UncheckedIOException(
                "the webhook at " + address.getHost() + " did not answer: "
                        + reason.getClass().getSimpleName(),
                reason instanceof IOException io ? io : new IOException(reason));
    }
}
