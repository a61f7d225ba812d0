package dev.waybill.flows.hostile;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A request as it goes over the wire.
 *
 * @param write what it would write if it were accepted, with an id that no other request has
 * @param pieces its bytes, sent one after the other, as Latin-1
 * @param ending what the caller does behind them
 */
record HostileRequest(Write write, List<String> pieces, Ending ending) {

    /** What a caller does when everything is sent. */
    enum Ending {
        /** Waits for the answer. */
        WAIT,
        /** Tells that nothing more comes, and waits for the answer. */
        HALF_CLOSE,
        /** Leaves without an answer. */
        LEAVE
    }

    boolean isHead() {
        return pieces.get(0).startsWith("HEAD ");
    }

    byte[] bytes(int piece) {
        return pieces.get(piece).getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public String toString() {
        String all = String.join("⏐", pieces);
        return write + " " + ending + " " + (all.length() > 1200 ? all.substring(0, 1200) + "… " + all.length() : all);
    }
}
