/**
 * The trace of the request that a thread works for: in the MDC, in answers and in calls to other services.
 *
 * <p>Only ids that {@link dev.waybill.message.TraceId#isAcceptable} accepts are used; a scope is closed on the thread that
 * opened it.
 */
@NullMarked
package dev.waybill.guard.trace;

import org.jspecify.annotations.NullMarked;
