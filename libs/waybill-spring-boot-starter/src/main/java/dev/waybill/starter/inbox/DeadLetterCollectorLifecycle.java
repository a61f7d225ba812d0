package dev.waybill.starter.inbox;

import dev.waybill.inbox.DeadLetters;
import dev.waybill.starter.StartUpException;
import dev.waybill.starter.StopBudget;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.StoreException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Copies the dead letters of this process's subscriptions into their table while the application runs. */
final class DeadLetterCollectorLifecycle implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(DeadLetterCollectorLifecycle.class);

    private final InboxSubscriptions subscriptions;
    private final Supplier<DeadLetters> letters;
    private final StopBudget stopBudget;
    private @Nullable DeadLetters collecting;

    DeadLetterCollectorLifecycle(
            InboxSubscriptions subscriptions, Supplier<DeadLetters> letters, StopBudget stopBudget) {
        this.subscriptions = subscriptions;
        this.letters = letters;
        this.stopBudget = stopBudget;
    }

    @Override
    public synchronized void start() {
        if (collecting != null || subscriptions.specs().isEmpty()) {
            return;
        }
        try {
            DeadLetters made = letters.get();
            made.count(Filter.any()); // a missing table stops the start-up here
            made.start();
            collecting = made;
        } catch (StoreException e) {
            throw e.reason() == StoreException.Reason.MISCONFIGURED ? refused(e) : e;
        }
    }

    private static StartUpException refused(StoreException e) {
        return new StartUpException(
                "waybill.inbox.collect-dead-letters",
                "Dead letters cannot be kept: " + e.getMessage() + ".",
                "Set waybill.inbox.ddl=apply to create what is missing, or create it with the statements that"
                        + " waybill.inbox.ddl=print logs; waybill.inbox.collect-dead-letters=false leaves dead letters to"
                        + " the broker, where RocketMQ drops them after three days.",
                e);
    }

    @Override
    public synchronized void stop() {
        DeadLetters stopping = collecting;
        collecting = null;
        if (stopping != null && !stopBudget.stopReceiving(List.of(stopping))) {
            log.warn("[DeadLetters] Stop reached {}; what is left is collected later", stopBudget);
        }
    }

    /** Beside the subscriptions, which stop at the same time. */
    @Override
    public void stop(Runnable stopped) {
        StopThread.run(this::stop, stopped);
    }

    @Override
    public synchronized boolean isRunning() {
        return collecting != null;
    }
}
