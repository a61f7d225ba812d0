/**
 * A second-hand marketplace: every product exists once, and an order that is not paid in time is closed.
 *
 * <p>Rule: what follows from an order happens by events through the outbox; the broker is never called by business code.
 */
@NullMarked
package dev.waybill.marketplace;

import org.jspecify.annotations.NullMarked;
