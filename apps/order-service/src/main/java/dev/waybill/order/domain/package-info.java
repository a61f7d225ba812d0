/**
 * What an order is, what may happen to it, and the tables it is kept in.
 *
 * <p>Knows neither HTTP nor a broker: the other packages depend on this one. One statement per constant; values are bound.
 */
@NullMarked
package dev.waybill.order.domain;

import org.jspecify.annotations.NullMarked;
