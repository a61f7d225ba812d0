/**
 * The contenders that need no class path of their own: Waybill, and the limits that it is held against.
 *
 * <p>Rule: each has a main method, a settings file beside the others in {@code lab/bench/settings}, and no way to know how
 * it is measured.
 */
@NullMarked
package dev.waybill.bench.contenders;

import org.jspecify.annotations.NullMarked;
