/**
 * The port to a broker: confirmed sends.
 *
 * <p>Rule: a result is what the broker said, never what a local call returned.
 */
@NullMarked
package dev.waybill.transport;

import org.jspecify.annotations.NullMarked;
