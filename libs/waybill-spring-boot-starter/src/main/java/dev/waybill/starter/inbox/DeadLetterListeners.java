package dev.waybill.starter.inbox;

import dev.waybill.inbox.DeadLetterListener;
import dev.waybill.message.DeadLetter;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;

/** All listener beans as one; one that fails does not keep the others from hearing. */
final class DeadLetterListeners implements DeadLetterListener {

    private static final Logger log = LoggerFactory.getLogger(DeadLetterListeners.class);

    private final ObjectProvider<DeadLetterListener> beans;

    DeadLetterListeners(ObjectProvider<DeadLetterListener> beans) {
        this.beans = beans;
    }

    @Override
    public void saved(DeadLetter letter, @Nullable String eventId, @Nullable String eventType) {
        tell(listener -> listener.saved(letter, eventId, eventType));
    }

    @Override
    public void replayed(StoredLetter letter) {
        tell(listener -> listener.replayed(letter));
    }

    @Override
    public void replayFailed(StoredLetter letter, String error) {
        tell(listener -> listener.replayFailed(letter, error));
    }

    private void tell(Consumer<DeadLetterListener> word) {
        beans.orderedStream().forEach(listener -> {
            try {
                word.accept(listener);
            } catch (RuntimeException e) {
                log.warn("[DeadLetters] A listener failed; the others are told all the same", e);
            }
        });
    }
}
