/**
 * The marketplace over HTTP.
 *
 * <p>Everything that a caller sends is checked here or refused; nothing of it reaches a log as it is.
 */
@NullMarked
package dev.waybill.marketplace.api;

import org.jspecify.annotations.NullMarked;
