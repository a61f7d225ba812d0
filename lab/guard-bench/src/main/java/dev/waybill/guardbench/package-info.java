/**
 * Measures decisions per second of our limiter and of Bucket4j, on the same Redis, with the same callers.
 *
 * <p>Contenders take turns within one process, so that whatever disturbs the machine disturbs all of them.
 */
@NullMarked
package dev.waybill.guardbench;

import org.jspecify.annotations.NullMarked;
