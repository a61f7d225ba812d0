/**
 * The order service: takes orders, cancels them, and follows what the inventory says about them.
 *
 * <p>Everything is put together here; nothing but the main class is seen from outside.
 */
@NullMarked
package dev.waybill.order;

import org.jspecify.annotations.NullMarked;
