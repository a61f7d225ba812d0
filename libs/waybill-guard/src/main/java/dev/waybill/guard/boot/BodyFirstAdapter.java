package dev.waybill.guard.boot;

import dev.waybill.guard.boot.BodyFraming.Seen;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.coyote.ActionCode;
import org.apache.coyote.Adapter;
import org.apache.coyote.ContinueResponseTiming;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.coyote.http11.Http11InputBuffer;
import org.apache.tomcat.util.net.SocketEvent;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/**
 * Lets a request into the application when its body is complete. Until then the connection waits at Tomcat's poller and holds
 * no thread, however slowly the bytes come; a deadline covers the whole body.
 *
 * <p>The application sees an ordinary request, whose body can be read without waiting. A body that is late, short, broken or
 * too large is refused by the {@link AnswerValve}, before any filter runs. HTTP/1.1 on Tomcat's NIO connector only: streams of
 * HTTP/2 have their own flow control and pass untouched.
 */
final class BodyFirstAdapter implements Adapter {

    /** The attribute that holds the status with which the request is to be refused. */
    static final String REFUSAL = BodyFirstAdapter.class.getName() + ".refusal";

    private static final String WHOLE_SERVER = "*";

    /**
     * A body that is late is refused here, before Tomcat's own time-out. If both came at the same moment, that one could meet the
     * request that follows on the connection, and nobody would answer it.
     */
    private static final Duration SLACK = Duration.ofSeconds(2);

    private static final String PENDING = BodyFirstAdapter.class.getName() + ".pending";

    private final Adapter inner;
    private final PendingBody.Limits limits;
    private final Duration deadline;
    private final Long timeoutMillis;
    private volatile int usualCapacity = Integer.MAX_VALUE;

    BodyFirstAdapter(Adapter inner, PendingBody.Limits limits, Duration deadline) {
        this.inner = inner;
        this.limits = limits;
        this.deadline = deadline;
        this.timeoutMillis = deadline.plus(SLACK).toMillis();
    }

    @Override
    public void service(Request request, Response response) throws Exception {
        boolean refusedByTomcat = response.getStatus() >= HttpStatus.BAD_REQUEST.value();
        if (request.requestURI().equals(WHOLE_SERVER)) {
            // Tomcat answers OPTIONS for the whole server by itself, without a body and without any filter.
            request.requestURI().setString("/");
            if (!refusedByTomcat) {
                request.setAttribute(REFUSAL, HttpStatus.BAD_REQUEST.value());
            }
        }
        if (refusedByTomcat || !(request.getInputBuffer() instanceof Http11InputBuffer input)) {
            inner.service(request, response);
            return;
        }
        dropLargeBuffer(input);
        long declared = request.getContentLengthLong();
        if (request.isFinished()) {
            inner.service(request, response);
        } else if (declared > limits.largestSwallowed()
                || (declared > limits.largestBody() && request.hasExpectation())) {
            refuseUnread(request, response);
        } else {
            serveOrWait(request, response, input, declared);
        }
    }

    private void serveOrWait(Request request, Response response, Http11InputBuffer input, long declared)
            throws Exception {
        BodyFraming look = framing(declared);
        int seen = look.look(input.getByteBuffer());
        if (look.seen() == Seen.ALL && seen <= limits.largestBody()) {
            inner.service(request, response);
            return;
        }
        if (request.hasExpectation()) {
            request.action(ActionCode.ACK, ContinueResponseTiming.ALWAYS);
            request.setExpectation(false);
        }
        PendingBody body =
                new PendingBody(request, input, framing(declared), limits, System.nanoTime() + deadline.toNanos());
        request.setAttribute(PENDING, body);
        request.action(ActionCode.ASYNC_START, body);
        request.action(ActionCode.ASYNC_SETTIMEOUT, timeoutMillis);
        if (body.read()) {
            // Settled at once. Another pass of this thread ends the wait, because Tomcat first has to finish this one.
            request.action(ActionCode.DISPATCH_READ, null);
        }
    }

    private static BodyFraming framing(long declared) {
        return declared >= 0 ? new FixedLengthFraming(declared) : new ChunkedFraming();
    }

    @Override
    public boolean asyncDispatch(Request request, Response response, SocketEvent event) throws Exception {
        if (!(request.getAttribute(PENDING) instanceof PendingBody body)) {
            return inner.asyncDispatch(request, response, event);
        }
        if (event == SocketEvent.TIMEOUT) {
            body.refuse(HttpStatus.REQUEST_TIMEOUT);
        } else if (event != SocketEvent.OPEN_READ) {
            // The connection is gone, or was silent for so long that Tomcat gave it up.
            body.forget();
            return false;
        } else {
            boolean settled = body.read();
            if (body.isLate(System.nanoTime())) {
                body.refuse(HttpStatus.REQUEST_TIMEOUT);
            } else if (!settled) {
                return true;
            }
        }
        endWait(request);
        if (body.refusal() == PendingBody.ACCEPTED) {
            body.giveBack();
            inner.service(request, response);
        } else {
            refuse(request, response, body.refusal());
        }
        return true;
    }

    /** Tomcat's way from a wait back to an ordinary request goes through a time-out that is answered by a dispatch. */
    private static void endWait(Request request) {
        request.getAttributes().remove(PENDING);
        request.action(ActionCode.ASYNC_TIMEOUT, new AtomicBoolean());
        request.action(ActionCode.ASYNC_DISPATCH, null);
        request.action(ActionCode.ASYNC_DISPATCHED, null);
    }

    private void refuseUnread(Request request, Response response) throws Exception {
        refuse(request, response, HttpStatus.CONTENT_TOO_LARGE.value());
        response.action(ActionCode.DISABLE_SWALLOW_INPUT, null);
    }

    private void refuse(Request request, Response response, int status) throws Exception {
        request.setAttribute(REFUSAL, status);
        inner.service(request, response);
    }

    /** A buffer that grew for a large body is not kept for the next request of the connection. */
    private void dropLargeBuffer(Http11InputBuffer input) {
        ByteBuffer buffer = input.getByteBuffer();
        if (buffer.capacity() < usualCapacity) {
            usualCapacity = buffer.capacity();
        } else if (buffer.capacity() > usualCapacity && buffer.limit() <= usualCapacity) {
            ByteBuffer usual = ByteBuffer.allocate(usualCapacity);
            usual.limit(buffer.limit()).position(buffer.position());
            usual.put(buffer.duplicate()).position(buffer.position());
            input.setByteBuffer(usual);
        }
    }

    @Override
    public boolean prepare(Request request, Response response) throws Exception {
        return inner.prepare(request, response);
    }

    @Override
    public void log(Request request, Response response, long time) {
        inner.log(request, response, time);
    }

    /** Tomcat calls this for a connection that it closed, also in the middle of a body. */
    @Override
    public void checkRecycled(Request request, Response response) {
        if (request.getAttribute(PENDING) instanceof PendingBody body) {
            body.forget();
        }
        inner.checkRecycled(request, response);
    }

    @Override
    public @Nullable String getDomain() {
        return inner.getDomain();
    }
}
