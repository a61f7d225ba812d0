/**
 * Contract suites for the ports, and tools for tests: a manual clock, a manual relay, crash points, a crash kit for handlers.
 *
 * <p>Rule: a capability that an adapter lacks is declared and its alternative asserted, never skipped.
 */
@NullMarked
package dev.waybill.testkit;

import org.jspecify.annotations.NullMarked;
