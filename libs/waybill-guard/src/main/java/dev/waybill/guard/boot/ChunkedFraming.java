package dev.waybill.guard.boot;

import java.nio.ByteBuffer;

/**
 * A body in chunks, which ends behind an empty chunk and its trailer fields. It is no more lenient than Tomcat: lines end with
 * CR and LF, a size has 1 to 8 hex digits, an extension is printable.
 */
final class ChunkedFraming implements BodyFraming {

    private static final int MOST_DIGITS = 8;

    private enum State {
        SIZE,
        EXTENSION,
        SIZE_LF,
        DATA,
        DATA_CR,
        DATA_LF,
        TRAILER_START,
        TRAILER,
        TRAILER_LF,
        END_LF,
        END,
        BROKEN
    }

    private State state = State.SIZE;
    private int digits;
    private long size;

    @Override
    public int look(ByteBuffer more) {
        ByteBuffer bytes = more.duplicate();
        while (bytes.hasRemaining() && state != State.END && state != State.BROKEN) {
            if (state == State.DATA) {
                skipData(bytes);
            } else {
                state = next(bytes.get());
            }
        }
        return bytes.position() - more.position();
    }

    @Override
    public Seen seen() {
        return state == State.END ? Seen.ALL : state == State.BROKEN ? Seen.BROKEN : Seen.PART;
    }

    private void skipData(ByteBuffer bytes) {
        int skipped = (int) Math.min(size, bytes.remaining());
        bytes.position(bytes.position() + skipped);
        size -= skipped;
        if (size == 0) {
            state = State.DATA_CR;
        }
    }

    private State next(byte b) {
        return switch (state) {
            case SIZE -> sizeByte(b);
            case EXTENSION -> b == '\r' ? State.SIZE_LF : isPrintable(b) ? State.EXTENSION : State.BROKEN;
            case SIZE_LF -> b == '\n' ? dataOrTrailer() : State.BROKEN;
            case DATA_CR -> b == '\r' ? State.DATA_LF : State.BROKEN;
            case DATA_LF -> b == '\n' ? State.SIZE : State.BROKEN;
            case TRAILER_START -> b == '\r' ? State.END_LF : b == '\n' ? State.BROKEN : State.TRAILER;
            case TRAILER -> b == '\r' ? State.TRAILER_LF : b == '\n' ? State.BROKEN : State.TRAILER;
            case TRAILER_LF -> b == '\n' ? State.TRAILER_START : State.BROKEN;
            case END_LF -> b == '\n' ? State.END : State.BROKEN;
            case DATA, END, BROKEN -> state;
        };
    }

    private State sizeByte(byte b) {
        int digit = Character.digit(b, 16);
        if (digit >= 0 && digits < MOST_DIGITS) {
            digits++;
            size = size * 16 + digit;
            return State.SIZE;
        }
        if (digits == 0 || digit >= 0) {
            return State.BROKEN;
        }
        return b == ';' ? State.EXTENSION : b == '\r' ? State.SIZE_LF : State.BROKEN;
    }

    private State dataOrTrailer() {
        digits = 0;
        return size == 0 ? State.TRAILER_START : State.DATA;
    }

    private static boolean isPrintable(byte b) {
        return b == '\t' || (b >= ' ' && b < 0x7f);
    }
}
