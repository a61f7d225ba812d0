/**
 * Products, orders, and what becomes of them.
 *
 * <p>Knows neither tables nor messages nor HTTP; a changed row count of one is what decides a race.
 */
@NullMarked
package dev.waybill.marketplace.domain;

import org.jspecify.annotations.NullMarked;
