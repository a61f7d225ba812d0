/**
 * Figures: Waybill, its peers and the raw limits side by side, in one run.
 *
 * <p>Rule: a figure counts only when everything that was committed arrived and every row is settled; rates are compared
 * within one run. A contender lives in a process of its own and knows nothing of this package.
 */
@NullMarked
package dev.waybill.bench;

import org.jspecify.annotations.NullMarked;
