/**
 * Listeners: methods of beans that consume events once, in the inbox's transaction.
 *
 * <p>Rule: what cannot work is refused at start-up, naming bean and method; no event is dropped in silence.
 */
@NullMarked
package dev.waybill.starter.inbox;

import org.jspecify.annotations.NullMarked;
