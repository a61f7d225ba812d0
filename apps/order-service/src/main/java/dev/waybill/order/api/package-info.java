/**
 * Orders over HTTP, and who may do what with them.
 *
 * <p>No text of a caller reaches a log line or an SQL statement.
 */
@NullMarked
package dev.waybill.order.api;

import org.jspecify.annotations.NullMarked;
