/**
 * Publishes and consumes the orders' events, and declares their queues.
 *
 * <p>Names, arguments and routing keys are frozen; every listener checks the order before it acts.
 */
@NullMarked
package dev.waybill.marketplace.messaging;

import org.jspecify.annotations.NullMarked;
