/**
 * Orders in tables.
 *
 * <p>One statement per constant; values are bound, never concatenated.
 */
@NullMarked
package dev.waybill.order.db;

import org.jspecify.annotations.NullMarked;
