/**
 * What the guards' stores share: the way to Redis with bounded time-outs, and memory that cannot grow without end.
 *
 * <p>A store that can't answer in time throws {@link dev.waybill.guard.store.StoreUnavailableException}, never anything else;
 * what that means for a request is decided by the guard, not here.
 */
@NullMarked
package dev.waybill.guard.store;

import org.jspecify.annotations.NullMarked;
