/**
 * Contract suites for the ports, and what tests need to be in charge: a manual clock, a manual relay, crash points.
 *
 * <p>Rule: a capability that an adapter lacks is declared and its alternative asserted, never skipped.
 */
@NullMarked
package dev.waybill.testkit;

import org.jspecify.annotations.NullMarked;
