/**
 * A second-hand marketplace: every product is there once, an order that nobody pays for times out.
 *
 * <p>Rule: what follows from an order happens by events through the outbox; the broker is never called by business code.
 */
@NullMarked
package dev.waybill.marketplace;

import org.jspecify.annotations.NullMarked;
