/**
 * The events that the service sends and those that it listens to.
 *
 * <p>Sending means a row in the caller's transaction; listening means one transaction per event.
 */
@NullMarked
package dev.waybill.order.messaging;

import org.jspecify.annotations.NullMarked;
