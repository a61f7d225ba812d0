package dev.waybill.starter.inbox;

import dev.waybill.inbox.DeadLetterListener;
import dev.waybill.message.DeadLetter;
import dev.waybill.message.LogText;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;

/** Passes every call to all listener beans; one that fails does not keep the next ones from being called. */
final class CompositeDeadLetterListener implements DeadLetterListener {

    private static final Logger log = LoggerFactory.getLogger(CompositeDeadLetterListener.class);

    private final ObjectProvider<DeadLetterListener> beans;

    CompositeDeadLetterListener(ObjectProvider<DeadLetterListener> beans) {
        this.beans = beans;
    }

    @Override
    public void saved(DeadLetter letter, @Nullable String eventId, @Nullable String eventType) {
        callEach(listener -> listener.saved(letter, eventId, eventType));
    }

    @Override
    public void replayed(StoredLetter letter) {
        callEach(listener -> listener.replayed(letter));
    }

    @Override
    public void replayFailed(StoredLetter letter, String error) {
        callEach(listener -> listener.replayFailed(letter, error));
    }

    private void callEach(Consumer<DeadLetterListener> call) {
        beans.orderedStream().forEach(listener -> {
            try {
                call.accept(listener);
            } catch (RuntimeException e) {
                log.warn("[DeadLetters] A listener failed; the others are told all the same", LogText.thrown(e));
            }
        });
    }
}
