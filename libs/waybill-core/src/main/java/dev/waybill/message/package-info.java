/**
 * What travels: the event, its envelope on the wire, its destination.
 *
 * <p>Rule: values only. Nothing here knows a database, a broker or the engine.
 */
@NullMarked
package dev.waybill.message;

import org.jspecify.annotations.NullMarked;
