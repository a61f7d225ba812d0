/**
 * Figures: what the relay does beside what the broker alone can do.
 *
 * <p>Rule: a figure counts only when everything that was committed arrived; rates are compared within one run.
 */
@NullMarked
package dev.waybill.bench;

import org.jspecify.annotations.NullMarked;
