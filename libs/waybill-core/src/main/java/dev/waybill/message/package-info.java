/**
 * What is sent: the event, its envelope, its destination; and what became of it: result and dead letter.
 *
 * <p>Rule: values only. Nothing here knows a database, a broker or the engine.
 */
@NullMarked
package dev.waybill.message;

import org.jspecify.annotations.NullMarked;
