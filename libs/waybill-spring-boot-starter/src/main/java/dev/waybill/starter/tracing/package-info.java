/**
 * Spans of publish, send and process, as observations of Micrometer.
 *
 * <p>Rule: a span follows the event's own {@code traceparent}; no other header is read or written, and a failure to trace is
 * never a failure to send or to handle.
 */
@NullMarked
package dev.waybill.starter.tracing;

import org.jspecify.annotations.NullMarked;
