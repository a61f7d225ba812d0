package dev.waybill.quickstart;

/** Why the quickstart does not start, in one sentence that names what to do. */
final class StartRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StartRefusedException(String sentence) {
        super(sentence, null, false, false);
    }
}
