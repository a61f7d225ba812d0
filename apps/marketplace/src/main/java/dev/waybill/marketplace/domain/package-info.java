/**
 * Products and orders: their rules and their changes of status.
 *
 * <p>Knows neither HTTP nor the broker; tables are known to the repositories. Races are decided by conditional updates: the
 * transaction that changed one row has won.
 */
@NullMarked
package dev.waybill.marketplace.domain;

import org.jspecify.annotations.NullMarked;
