/**
 * Starting, stopping, and the named places between.
 *
 * <p>Rule: start is idempotent, stop waits up to a deadline, and both are safe in any order and from any thread.
 */
@NullMarked
package dev.waybill.lifecycle;

import org.jspecify.annotations.NullMarked;
