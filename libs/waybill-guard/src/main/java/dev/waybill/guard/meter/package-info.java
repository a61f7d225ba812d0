/**
 * What the guards count, with or without Micrometer on the class path.
 *
 * <p>Tags come from the code (handler names, outcomes), never from a request, so that a caller can't grow the registry.
 */
@NullMarked
package dev.waybill.guard.meter;

import org.jspecify.annotations.NullMarked;
