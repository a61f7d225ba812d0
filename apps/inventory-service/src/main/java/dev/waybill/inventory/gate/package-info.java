/**
 * The two stock gates: in Redis, shared by all processes, and inside this one.
 *
 * <p>Both pass the same contract suite; neither decides anything that the database does not confirm.
 */
@NullMarked
package dev.waybill.inventory.gate;

import org.jspecify.annotations.NullMarked;
