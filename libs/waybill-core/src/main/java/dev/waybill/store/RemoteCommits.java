package dev.waybill.store;

import java.util.function.BooleanSupplier;

/**
 * Hears of commits that made rows due, in whichever process they happened. Only a hint: one that is missed costs nothing but the
 * wait until the relay's next look at the table.
 */
public interface RemoteCommits {

    /**
     * Listens on the calling thread until it is told to end, and for a moment longer.
     *
     * @param committed called after each commit that was heard of, and once at the beginning, because what happened before
     *     was not heard
     * @param goesOn asked several times a second
     * @throws StoreException when the database is lost; the caller may begin anew
     */
    void listen(Runnable committed, BooleanSupplier goesOn) throws InterruptedException;
}
