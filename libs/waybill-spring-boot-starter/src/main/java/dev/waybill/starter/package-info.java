/**
 * Waybill in Spring Boot: auto-configuration, properties, and start-up checks.
 *
 * <p>Rule: assembles and never decides; a setting that would break a guarantee stops the start-up and is named.
 */
@NullMarked
package dev.waybill.starter;

import org.jspecify.annotations.NullMarked;
