/**
 * Puts the guards into a Spring Boot application that does nothing but have them on its class path.
 *
 * <p>Every bean steps back for one of the application's own; settings that break a promise stop the start-up and are named.
 */
@NullMarked
package dev.waybill.guard.boot;

import org.jspecify.annotations.NullMarked;
