/**
 * The broker that the relay sends to, chosen by what is on the class path.
 *
 * <p>Rule: one class per broker, loaded only with its library; with two of them, the settings have to choose.
 */
@NullMarked
package dev.waybill.starter.broker;

import org.jspecify.annotations.NullMarked;
