package dev.waybill.inbox;

import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.store.Admission;
import dev.waybill.store.InboxStore;
import dev.waybill.store.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Passes every call on, and is away, or fails, as often as the test says. */
final class WatchedInboxStore implements InboxStore {

    /** How often the store was asked whether it answers. */
    final AtomicInteger questions = new AtomicInteger();

    private final InboxStore store;
    private volatile boolean away;
    private volatile int silences;
    private volatile Runnable beforeAdmit = () -> {};
    private volatile Runnable beforeFail = () -> {};
    private volatile Runnable beforeLastError = () -> {};

    WatchedInboxStore(InboxStore store) {
        this.store = store;
    }

    static StoreException failure(StoreException.Reason reason) {
        return new StoreException(reason, "scripted", null);
    }

    /** Away until further notice, or back again. */
    void away(boolean away) {
        this.away = away;
    }

    /** Silent for so many questions, then back. */
    void silentFor(int questions) {
        silences = questions;
    }

    boolean isSilent() {
        return away || questions.get() < silences;
    }

    void beforeAdmit(Runnable action) {
        beforeAdmit = action;
    }

    void beforeFail(Runnable action) {
        beforeFail = action;
    }

    void beforeLastError(Runnable action) {
        beforeLastError = action;
    }

    @Override
    public Admission admit(Event event, String group) {
        if (isSilent()) {
            throw failure(StoreException.Reason.UNAVAILABLE);
        }
        beforeAdmit.run();
        return store.admit(event, group);
    }

    @Override
    public void settle(Event event, String group, Admission.Admitted admitted, HandlerResult result, Duration cost) {
        store.settle(event, group, admitted, result, cost);
    }

    @Override
    public void fail(Event event, String group, String error) {
        beforeFail.run();
        store.fail(event, group, error);
    }

    @Override
    public Optional<String> lastError(String eventId, String group) {
        beforeLastError.run();
        return store.lastError(eventId, group);
    }

    @Override
    public boolean answers() {
        return questions.incrementAndGet() > silences && !away;
    }

    @Override
    public boolean isTransient(Throwable failure) {
        return store.isTransient(failure);
    }

    @Override
    public int sweep(Duration olderThan, int limit) {
        return store.sweep(olderThan, limit);
    }

    @Override
    public int sweepFailed(Duration olderThan, int limit) {
        return store.sweepFailed(olderThan, limit);
    }

    @Override
    public void verify(String group) {
        store.verify(group);
    }
}
