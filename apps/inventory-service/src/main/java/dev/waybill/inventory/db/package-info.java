/**
 * The tables behind the domain's ports, and how they come into being.
 *
 * <p>Every statement runs in the caller's transaction; rows of stock are locked in the order of their keys.
 */
@NullMarked
package dev.waybill.inventory.db;

import org.jspecify.annotations.NullMarked;
