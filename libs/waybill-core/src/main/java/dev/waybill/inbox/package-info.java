/**
 * The inbox: receive, admit, handle, settle. An event that is delivered many times has one effect.
 *
 * <p>Rule: business first, acknowledgement after; the handler's writes and the consume log's row commit together.
 */
@NullMarked
package dev.waybill.inbox;

import org.jspecify.annotations.NullMarked;
