package dev.waybill.guard.boot;

import java.nio.ByteBuffer;

/** A body of as many bytes as Content-Length says. */
final class FixedLengthFraming implements BodyFraming {

    private long missing;

    FixedLengthFraming(long length) {
        this.missing = length;
    }

    @Override
    public int look(ByteBuffer more) {
        int looked = (int) Math.min(missing, more.remaining());
        missing -= looked;
        return looked;
    }

    @Override
    public Seen seen() {
        return missing == 0 ? Seen.ALL : Seen.PART;
    }
}
