/**
 * A small shop that the starter's tests run: orders in a table, an event for each.
 *
 * <p>Rule: business code as an application would write it; what a test needs to see, it reads from the servers.
 */
@NullMarked
package dev.waybill.starter.shop;

import org.jspecify.annotations.NullMarked;
