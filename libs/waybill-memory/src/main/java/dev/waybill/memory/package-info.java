/**
 * A broker inside one JVM, and the transport to it: for the quickstart and for tests.
 *
 * <p>Rule: it can misbehave in every way that a real broker can, but only when it is told to.
 */
@NullMarked
package dev.waybill.memory;

import org.jspecify.annotations.NullMarked;
