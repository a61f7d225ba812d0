/**
 * What an order is, and what may happen to it.
 *
 * <p>Knows neither HTTP, nor SQL, nor a broker: the other packages depend on this one.
 */
@NullMarked
package dev.waybill.order.domain;

import org.jspecify.annotations.NullMarked;
