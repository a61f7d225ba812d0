/**
 * A broker and stores inside one JVM, and the transport to that broker: for the quickstart and for tests.
 *
 * <p>Rule: the broker can misbehave in every way that a real one can, but only when it is told to; the stores keep every
 * promise of a database but that of surviving the process.
 */
@NullMarked
package dev.waybill.memory;

import org.jspecify.annotations.NullMarked;
