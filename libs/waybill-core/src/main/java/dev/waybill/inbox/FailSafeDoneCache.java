package dev.waybill.inbox;

/** A cache that may fail: then it knows nothing and learns nothing, and no event pays for it. */
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
