/**
 * What the three services share: who sends a request and what they may do, transactions that outlive a lost race, times in
 * UTC, Waybill's own tables.
 *
 * <p>Nothing here knows an order, a product or a stock. A type is here because at least two services would else repeat it.
 */
@NullMarked
package dev.waybill.servicekit;

import org.jspecify.annotations.NullMarked;
