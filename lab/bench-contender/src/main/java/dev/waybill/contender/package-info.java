/**
 * What takes part in the bench: the contract, the process that drives it by lines on standard input, and its producers.
 *
 * <p>Rule: nothing here knows a contender, and a contender decides nothing about how it is measured.
 */
@NullMarked
package dev.waybill.contender;

import org.jspecify.annotations.NullMarked;
