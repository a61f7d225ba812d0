/**
 * Transport, subscriptions and dead letters on RabbitMQ: publisher confirms, mandatory publishing, persistent delivery.
 *
 * <p>Rule: a message is confirmed only when the broker acknowledged and did not return it; nothing outside this package
 * sees the broker's client, except the connection factory that a user hands in.
 */
@NullMarked
package dev.waybill.rabbitmq;

import org.jspecify.annotations.NullMarked;
