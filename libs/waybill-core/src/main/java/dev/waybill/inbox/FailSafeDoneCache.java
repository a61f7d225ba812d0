package dev.waybill.inbox;

/** A done cache that may fail: a failed lookup counts as not done, a failed write is reported and otherwise ignored. */
record FailSafeDoneCache(DoneCache cache, InboxReporter reporter) implements DoneCache {

    @Override
    public boolean knows(String eventId, String group) {
        try {
            return cache.knows(eventId, group);
        } catch (RuntimeException e) {
            reporter.shortcutFailed(e);
            return false;
        }
    }

    @Override
    public void learn(String eventId, String group) {
        try {
            cache.learn(eventId, group);
        } catch (RuntimeException e) {
            reporter.shortcutFailed(e);
        }
    }
}
