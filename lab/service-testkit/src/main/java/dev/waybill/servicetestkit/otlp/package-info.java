/**
 * A receiver of traces for tests.
 *
 * <p>Rule: it reads the bytes that an exporter sent, and shares no code with the exporter.
 */
@NullMarked
package dev.waybill.servicetestkit.otlp;

import org.jspecify.annotations.NullMarked;
