/**
 * The events that the service listens to, and its lines about those that it sends.
 *
 * <p>Listening means one transaction per event.
 */
@NullMarked
package dev.waybill.order.messaging;

import org.jspecify.annotations.NullMarked;
