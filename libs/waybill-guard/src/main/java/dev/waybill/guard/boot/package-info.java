/**
 * The guards and the auto-configuration that puts them in front of handlers; an application only needs them on its class
 * path.
 *
 * <p>Only the auto-configurations and {@link dev.waybill.guard.boot.GuardSettings} are public; a name's first word tells
 * the guard that a type belongs to: {@code Answer} and {@code Code}, {@code Trace} and {@code Span}, {@code RateLimit} and
 * {@code Bucket}, {@code Idempotent} and {@code Key}. Settings that would break a promise stop the start-up, and the
 * message names the property.
 */
@NullMarked
package dev.waybill.guard.boot;

import org.jspecify.annotations.NullMarked;
