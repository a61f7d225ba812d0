/**
 * A real service for tests: embedded Tomcat on loopback, a plain HTTP client, and guarded handlers.
 *
 * <p>Nothing here is a mock; whatever is started is closed by the test that started it.
 */
@NullMarked
package dev.waybill.guard.running;

import org.jspecify.annotations.NullMarked;
