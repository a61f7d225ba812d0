package dev.waybill.guard.boot;

import java.nio.ByteBuffer;

/** Where the body of a request ends on the wire. It only looks: Tomcat's own parser reads the bytes once they are all there. */
sealed interface BodyFraming permits FixedLengthFraming, ChunkedFraming {

    /** What has been seen of the body so far. */
    enum Seen {
        PART,
        ALL,
        BROKEN
    }

    /**
     * Looks at further bytes, from the buffer's position to its limit, and leaves the buffer as it is. Returns how many of them
     * are the body's; behind a complete body the next request may follow.
     */
    int look(ByteBuffer more);

    Seen seen();
}
