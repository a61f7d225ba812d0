/**
 * The service, started, and what can be seen of it from outside.
 *
 * <p>Tests talk to it over HTTP and through messages, and look into its tables with a connection of their own.
 */
package dev.waybill.marketplace.running;
