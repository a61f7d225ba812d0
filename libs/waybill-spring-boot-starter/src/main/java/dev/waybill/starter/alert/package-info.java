/**
 * Raises and clears alerts while the application runs.
 *
 * <p>Rule: it only looks. An application whose alerts cannot be told or stored goes on without them.
 */
@NullMarked
package dev.waybill.starter.alert;

import org.jspecify.annotations.NullMarked;
