/**
 * Metrics and health of the relay and the inbox, for Micrometer and the health endpoint.
 *
 * <p>Rule: names and tags are those of the log lines; watching never slows or fails the relay.
 */
@NullMarked
package dev.waybill.starter.observability;

import org.jspecify.annotations.NullMarked;
