package dev.waybill.rocketmq;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Bounds what the client says while a broker is away: it repeats the same few sentences for every queue, many times a second.
 * Of each sentence a few lines a minute pass; the first one of the next minute says how many were left out.
 */
final class RepeatedLines {

    static final int PASS = 3;
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();
    private static final int SENTENCES = 500;

    /** One sentence in its present minute. */
    private static final class Sentence {
        private long began;
        private int lines;
        private long leftOut;
    }

    private final Map<String, Sentence> sentences = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Counts a line.
     *
     * @param sentence what the lines have in common: the text without its values
     * @return how many lines were left out before this one; negative when this one is left out
     */
    synchronized long count(String sentence, long now) {
        Sentence known = sentences.computeIfAbsent(sentence, any -> new Sentence());
        if (sentences.size() > SENTENCES) {
            sentences.remove(sentences.keySet().iterator().next());
        }
        if (known.lines == 0 || now - known.began >= MINUTE) {
            known.began = now;
            known.lines = 0;
        }
        if (++known.lines > PASS) {
            known.leftOut++;
            return -1;
        }
        long leftOut = known.leftOut;
        known.leftOut = 0;
        return leftOut;
    }
}
