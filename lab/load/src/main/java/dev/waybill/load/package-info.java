/**
 * The load driver: orders over HTTP, and an audit of what became of them.
 *
 * <p>Rule: it knows the services by their HTTP interfaces alone.
 */
@NullMarked
package dev.waybill.load;

import org.jspecify.annotations.NullMarked;
