/**
 * Orders over HTTP.
 *
 * <p>Requests are checked in the domain, not here; no text of a caller reaches a log line or an SQL statement.
 */
@NullMarked
package dev.waybill.order.api;

import org.jspecify.annotations.NullMarked;
