/**
 * The two stock gates: one in Redis, shared by all processes, and one inside this process.
 *
 * <p>Both pass the same contract suite; neither decides anything that the database does not confirm.
 */
@NullMarked
package dev.waybill.inventory.gate;

import org.jspecify.annotations.NullMarked;
