/**
 * Deletes old rows of outbox, inbox and dead letters while the application runs.
 *
 * <p>Rule: nothing that still waits for somebody is ever deleted, and business statements go first.
 */
@NullMarked
package dev.waybill.starter.retention;

import org.jspecify.annotations.NullMarked;
