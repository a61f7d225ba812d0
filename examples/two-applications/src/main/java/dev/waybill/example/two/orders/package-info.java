/**
 * The application that publishes.
 *
 * <p>Rule: it shares no class with the one that consumes, only the event's type and the names in its payload.
 */
@NullMarked
package dev.waybill.example.two.orders;

import org.jspecify.annotations.NullMarked;
