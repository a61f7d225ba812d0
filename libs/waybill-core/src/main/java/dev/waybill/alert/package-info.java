/**
 * Tells people when something needs them: rules over readings, raised once and cleared once for all replicas of an application.
 *
 * <p>Rule: nothing here is on the way of an event. Looking and telling have threads of their own, and a sink that fails or hangs
 * holds up nothing but itself.
 */
@NullMarked
package dev.waybill.alert;

import org.jspecify.annotations.NullMarked;
