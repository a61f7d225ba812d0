/**
 * The ports to the database: outbox rows, the consume log, dead letters, and the caller's transaction.
 *
 * <p>Rule: every time is the database's, every promise here is a test of the contract suite in the testkit.
 */
@NullMarked
package dev.waybill.store;

import org.jspecify.annotations.NullMarked;
