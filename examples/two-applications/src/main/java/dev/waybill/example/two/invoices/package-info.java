/**
 * The application that consumes.
 *
 * <p>Rule: it shares no class with the one that publishes, only the event's type and the names in its payload.
 */
@NullMarked
package dev.waybill.example.two.invoices;

import org.jspecify.annotations.NullMarked;
