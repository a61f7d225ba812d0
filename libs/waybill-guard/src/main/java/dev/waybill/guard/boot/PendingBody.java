package dev.waybill.guard.boot;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.coyote.ActionCode;
import org.apache.coyote.AsyncContextCallback;
import org.apache.coyote.Request;
import org.apache.coyote.http11.Http11InputBuffer;
import org.springframework.http.HttpStatus;

/**
 * A body that is not complete yet. Its bytes are collected as they arrive, without a thread that waits for them, and are given
 * back to Tomcat's input buffer when the last one is there.
 *
 * <p>A body above the limit is read to its end and dropped, as long as Tomcat would swallow it: a connection that is closed
 * while the caller still sends loses the answer.
 */
final class PendingBody implements AsyncContextCallback {

    static final int ACCEPTED = 0;

    /** What a body may cost. */
    record Limits(long largestBody, long largestSwallowed, WaitingBytes waiting) {}

    private final Request request;
    private final Http11InputBuffer input;
    private final BodyFraming framing;
    private final Limits limits;
    private final long deadlineNanos;
    private final int start;
    private ByteArrayOutputStream collected = new ByteArrayOutputStream();
    private long received;
    private int refusal = ACCEPTED;
    private boolean settled;

    PendingBody(Request request, Http11InputBuffer input, BodyFraming framing, Limits limits, long deadlineNanos) {
        this.request = request;
        this.input = input;
        this.framing = framing;
        this.limits = limits;
        this.deadlineNanos = deadlineNanos;
        this.start = input.getByteBuffer().position();
    }

    /** Takes what has arrived. Returns whether nothing more is waited for; if more is, the poller will tell when it comes. */
    boolean read() {
        settled = settled || isComplete();
        return settled;
    }

    boolean isLate(long now) {
        return now - deadlineNanos > 0;
    }

    private boolean isComplete() {
        while (true) {
            ByteBuffer arrived = input.getByteBuffer();
            if (arrived.hasRemaining() && isSettledBy(arrived)) {
                return true;
            }
            request.action(ActionCode.AVAILABLE, true);
            boolean more = request.getAvailable() > 0;
            if (more && !input.getByteBuffer().hasRemaining()) {
                // Tomcat reports a failed read as one available byte that is not there: the caller has left.
                refuse(HttpStatus.BAD_REQUEST);
                return true;
            }
            if (!more && !isReadable()) {
                return false;
            }
        }
    }

    private boolean isSettledBy(ByteBuffer arrived) {
        received += framing.look(arrived);
        BodyFraming.Seen seen = framing.seen();
        if (refusal == ACCEPTED) {
            collect(arrived);
        }
        arrived.position(arrived.limit());
        if (seen == BodyFraming.Seen.BROKEN) {
            refuse(HttpStatus.BAD_REQUEST);
        }
        return seen != BodyFraming.Seen.PART
                || refusal == HttpStatus.SERVICE_UNAVAILABLE.value()
                || received > limits.largestSwallowed();
    }

    private void collect(ByteBuffer arrived) {
        if (received > limits.largestBody()) {
            refuse(HttpStatus.CONTENT_TOO_LARGE);
        } else if (limits.waiting().take(arrived.remaining())) {
            collected.write(arrived.array(), arrived.arrayOffset() + arrived.position(), arrived.remaining());
        } else {
            refuse(HttpStatus.SERVICE_UNAVAILABLE);
        }
    }

    private boolean isReadable() {
        AtomicBoolean ready = new AtomicBoolean();
        request.action(ActionCode.NB_READ_INTEREST, ready);
        return ready.get();
    }

    /** Refuses the body, unless it is refused already. */
    void refuse(HttpStatus status) {
        if (refusal == ACCEPTED) {
            refusal = status.value();
            forget();
        }
    }

    int refusal() {
        return refusal;
    }

    /** Gives the collected bytes back to Tomcat's input buffer, behind the headers. */
    void giveBack() {
        byte[] bytes = collected.toByteArray();
        ByteBuffer buffer = input.getByteBuffer();
        if (buffer.capacity() < start + bytes.length) {
            buffer = ByteBuffer.allocate(start + bytes.length);
            input.setByteBuffer(buffer);
        }
        buffer.limit(start + bytes.length).position(start);
        buffer.put(bytes).position(start);
        forget();
    }

    /** The bytes no longer count as waiting. */
    void forget() {
        limits.waiting().giveBack(collected.size());
        collected = new ByteArrayOutputStream(0);
    }

    @Override
    public void fireOnComplete() {
        // Nobody listens: the application does not know of the request yet.
    }

    @Override
    public boolean isAvailable() {
        return true;
    }

    @Override
    public void incrementInProgressAsyncCount() {
        // The application does not know of the request yet.
    }

    @Override
    public void decrementInProgressAsyncCount() {
        // The application does not know of the request yet.
    }
}
