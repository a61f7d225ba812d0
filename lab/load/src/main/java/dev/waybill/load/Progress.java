package dev.waybill.load;

import java.io.PrintStream;
import java.util.Locale;

/** A bar that redraws itself on a terminal, and a line now and then elsewhere. */
final class Progress {

    private static final int WIDTH = 40;
    private static final long REDRAW_NANOS = 100_000_000L;
    private static final long LINE_NANOS = 5_000_000_000L;

    private final PrintStream out;
    private final boolean terminal;
    private final long begun = System.nanoTime();
    private String phase = "";
    private long last;

    Progress(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    synchronized void show(String phase, long done, long all, boolean finished) {
        long now = System.nanoTime();
        boolean changed = !phase.equals(this.phase);
        if (!changed && !finished && now - last < (terminal ? REDRAW_NANOS : LINE_NANOS)) {
            return;
        }
        this.phase = phase;
        last = now;
        int filled = (int) (all == 0 ? WIDTH : WIDTH * Math.min(done, all) / all);
        String line = String.format(
                Locale.ROOT,
                "%-9s [%s%s] %d/%d  %.1f s",
                phase,
                "=".repeat(filled),
                " ".repeat(WIDTH - filled),
                done,
                all,
                (now - begun) / 1e9);
        if (terminal) {
            out.print("\r" + line + (finished ? "\n" : ""));
        } else {
            out.println(line);
        }
        out.flush();
    }
}
