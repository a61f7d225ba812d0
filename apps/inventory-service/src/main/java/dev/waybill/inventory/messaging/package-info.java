/**
 * Orders' events in, stock's events out.
 *
 * <p>What comes in is consumed once; what goes out is published in the same transaction.
 */
@NullMarked
package dev.waybill.inventory.messaging;

import org.jspecify.annotations.NullMarked;
