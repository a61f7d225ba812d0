/**
 * What the relay does, told to Micrometer and to the health endpoint.
 *
 * <p>Rule: names and tags are those of the log lines; watching never slows or fails the relay.
 */
@NullMarked
package dev.waybill.starter.watch;

import org.jspecify.annotations.NullMarked;
