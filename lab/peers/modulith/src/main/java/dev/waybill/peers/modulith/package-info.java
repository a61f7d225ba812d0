/**
 * Spring Modulith's event publication registry as a contender in the bench.
 *
 * <p>Rule: used as its documentation says, with the settings in its settings file; nothing of it is shipped.
 */
@NullMarked
package dev.waybill.peers.modulith;

import org.jspecify.annotations.NullMarked;
