package dev.waybill.inbox;

/**
 * A quick look before the database is asked, for instance in Redis. Only a shortcut: it may forget, it may be down (then
 * it answers no), and it learns of an event only after the commit.
 */
public interface DoneCache {

    /** Knows nothing. */
    DoneCache NONE = new DoneCache() {
        @Override
        public boolean knows(String eventId, String group) {
            return false;
        }

        @Override
        public void learn(String eventId, String group) {}
    };

    boolean knows(String eventId, String group);

    void learn(String eventId, String group);
}
