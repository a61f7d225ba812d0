/**
 * A warehouse that consumes: what its listeners do is visible in its tables.
 *
 * <p>Rule: no constraint of a table hides a second effect.
 */
@NullMarked
package dev.waybill.starter.inbox.warehouse;

import org.jspecify.annotations.NullMarked;
