package dev.waybill.message;

import org.jspecify.annotations.Nullable;

/** Stands for something thrown in a log, whose message may be anybody's text. Nobody throws it. */
final class LoggedThrowable extends Throwable {

    private static final long serialVersionUID = 1L;

    /** Causes and suppressed ones may be nested without end. */
    private static final int DEEPEST = 10;

    private LoggedThrowable(Throwable original, @Nullable Throwable cause) {
        super(LogText.sentence(original.toString()), cause);
        setStackTrace(original.getStackTrace());
    }

    /** Its own place tells nothing, and finding it out is what costs. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }

    static LoggedThrowable of(Throwable original) {
        return of(original, 0);
    }

    private static LoggedThrowable of(Throwable original, int depth) {
        Throwable cause = depth < DEEPEST ? original.getCause() : null;
        LoggedThrowable shown = new LoggedThrowable(original, cause == null ? null : of(cause, depth + 1));
        if (depth < DEEPEST) {
            for (Throwable suppressed : original.getSuppressed()) {
                shown.addSuppressed(of(suppressed, depth + 1));
            }
        }
        return shown;
    }
}
