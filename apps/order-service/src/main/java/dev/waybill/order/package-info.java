/**
 * The order service: creates orders, cancels them, and applies the inventory's results to them.
 *
 * <p>The beans are assembled here; only the main class is public.
 */
@NullMarked
package dev.waybill.order;

import org.jspecify.annotations.NullMarked;
