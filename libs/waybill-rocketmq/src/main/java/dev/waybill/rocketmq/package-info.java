/**
 * Transport, subscriptions and dead letters on RocketMQ: one batch per topic, confirmed by SEND_OK and nothing less.
 *
 * <p>Rule: what the client throws or returns is translated here, once, in {@code RocketMqErrors}; nothing outside this package
 * sees the client, except a producer that a user wants to adjust.
 */
@NullMarked
package dev.waybill.rocketmq;

import org.jspecify.annotations.NullMarked;
