/**
 * The ports to a broker: confirmed sends, subscriptions, dead letters.
 *
 * <p>Rule: a result is what the broker said, never what a local call returned.
 */
@NullMarked
package dev.waybill.transport;

import org.jspecify.annotations.NullMarked;
