/**
 * The broker that the relay sends to, chosen by what is on the class path.
 *
 * <p>Rule: one class per broker, loaded only with its library; two brokers need a person's choice.
 */
@NullMarked
package dev.waybill.starter.broker;

import org.jspecify.annotations.NullMarked;
