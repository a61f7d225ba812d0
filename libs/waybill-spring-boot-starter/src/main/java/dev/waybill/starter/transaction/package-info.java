/**
 * The outbox in Spring's transactions: joins them, observes how they end, and uses their connection.
 *
 * <p>Rule: only a transaction of the outbox's own DataSource is joined, and in any doubt nothing is handed off.
 */
@NullMarked
package dev.waybill.starter.transaction;

import org.jspecify.annotations.NullMarked;
