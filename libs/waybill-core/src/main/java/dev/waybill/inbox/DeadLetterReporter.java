package dev.waybill.inbox;

import dev.waybill.message.DeadLetter;
import dev.waybill.message.LogText;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells what becomes of dead letters. */
final class DeadLetterReporter {

    private static final Logger log = LoggerFactory.getLogger(DeadLetters.class);

    private final DeadLetterListener listener;

    DeadLetterReporter(DeadLetterListener listener) {
        this.listener = listener;
    }

    void saved(DeadLetter letter, @Nullable String eventId, @Nullable String type) {
        log.error(
                "[DeadLetters] [ALERT] Dead letter saved eventId={} topic={} group={} type={} error={}",
                LogText.token(eventId),
                LogText.token(letter.source()),
                letter.group(),
                LogText.token(type),
                LogText.sentence(letter.error()));
        tell(() -> listener.saved(letter, eventId, type));
    }

    void replayed(StoredLetter letter) {
        log.info("[DeadLetters] Dead letter replayed {}", keys(letter));
        tell(() -> listener.replayed(letter));
    }

    void replayFailed(StoredLetter letter, String error) {
        log.warn("[DeadLetters] Dead letter not replayed {} error={}", keys(letter), LogText.sentence(error));
        tell(() -> listener.replayFailed(letter, error));
    }

    private static String keys(StoredLetter letter) {
        return "id=" + letter.id() + " eventId=" + LogText.token(letter.eventId()) + " topic="
                + LogText.token(letter.letter().source()) + " group="
                + letter.letter().group();
    }

    private static void tell(Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException e) {
            log.warn("[DeadLetters] A listener failed; collecting goes on", LogText.thrown(e));
        }
    }
}
