/** The order service: creates orders, cancels them, and applies the inventory's results to them. */
@NullMarked
package dev.waybill.order;

import org.jspecify.annotations.NullMarked;
