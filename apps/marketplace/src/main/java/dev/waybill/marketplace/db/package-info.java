/**
 * The domain's tables.
 *
 * <p>One statement per constant; values are bound, never concatenated.
 */
@NullMarked
package dev.waybill.marketplace.db;

import org.jspecify.annotations.NullMarked;
