/** Requests that nobody should send, by the ten thousand, to every service at once. */
@org.jspecify.annotations.NullMarked
package dev.waybill.flows.hostile;
