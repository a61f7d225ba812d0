package dev.waybill.jdbc.archive;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Ends where its source is cut off, and says so: an exception would take with it what readers have buffered. */
final class CutOffStream extends FilterInputStream {

    private boolean cutOff;

    CutOffStream(InputStream source) {
        super(source);
    }

    boolean isCutOff() {
        return cutOff;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        if (cutOff) {
            return -1;
        }
        try {
            return super.read(bytes, from, length);
        } catch (EOFException e) {
            cutOff = true;
            return -1;
        }
    }
}
