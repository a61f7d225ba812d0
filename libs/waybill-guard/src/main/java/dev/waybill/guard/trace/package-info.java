/**
 * Gives every request one trace id, in the MDC, in the answer and on the wire.
 *
 * <p>Nothing here reads an id that has not passed {@link dev.waybill.message.TraceId#isAcceptable}; whoever opens a scope
 * closes it on the same thread.
 */
@NullMarked
package dev.waybill.guard.trace;

import org.jspecify.annotations.NullMarked;
