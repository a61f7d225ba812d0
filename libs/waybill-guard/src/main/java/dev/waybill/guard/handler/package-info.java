/**
 * What both guards need to know of the handler they stand in front of: its request, its caller, its expressions.
 *
 * <p>Expressions come from annotations only and see arguments only: no types, no beans, no assignment.
 */
@NullMarked
package dev.waybill.guard.handler;

import org.jspecify.annotations.NullMarked;
