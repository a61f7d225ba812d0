/**
 * What reserving, releasing, receiving and reconciling mean, and the tables that remember it.
 *
 * <p>Knows neither HTTP nor Redis nor the orders' messages. Every statement runs in the caller's transaction, and rows of stock
 * are locked in the order of their keys.
 */
@NullMarked
package dev.waybill.inventory.domain;

import org.jspecify.annotations.NullMarked;
