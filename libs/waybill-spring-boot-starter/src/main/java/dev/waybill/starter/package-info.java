/**
 * Waybill in Spring Boot: auto-configuration, properties, and start-up checks.
 *
 * <p>Rule: it assembles the engine and adds no behaviour of its own; a setting that would break a guarantee stops the start-up,
 * and the message names it.
 */
@NullMarked
package dev.waybill.starter;

import org.jspecify.annotations.NullMarked;
