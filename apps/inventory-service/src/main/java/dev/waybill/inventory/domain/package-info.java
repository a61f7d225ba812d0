/**
 * What reserving, releasing, receiving and reconciling mean, and the tables that remember it.
 *
 * <p>Knows neither HTTP nor the orders' messages; of Redis only the gate knows. Every statement runs in the caller's transaction,
 * and rows of stock are locked in the order of their keys.
 */
@NullMarked
package dev.waybill.inventory.domain;

import org.jspecify.annotations.NullMarked;
