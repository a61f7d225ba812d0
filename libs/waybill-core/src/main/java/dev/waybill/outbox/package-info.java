/**
 * The outbox and its relay: publish, append, claim, send, settle.
 *
 * <p>Rule: an event is SENT only after the broker's word, and no database lock or connection is held while the broker
 * is asked.
 */
@NullMarked
package dev.waybill.outbox;

import org.jspecify.annotations.NullMarked;
