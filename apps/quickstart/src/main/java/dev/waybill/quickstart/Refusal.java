package dev.waybill.quickstart;

/** Why the quickstart does not start, in one sentence that names what to do. */
final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Refusal(String sentence) {
        super(sentence, null, false, false);
    }
}
