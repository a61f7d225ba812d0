/**
 * Stock over HTTP: receive it, look at it, look at an order's reservation.
 *
 * <p>Answers have the one answer shape of docs/guards.md; what a caller sends is checked here and written nowhere unchecked.
 */
@NullMarked
package dev.waybill.inventory.api;

import org.jspecify.annotations.NullMarked;
