/**
 * A small service that shows the request guards.
 *
 * <p>It has two annotations and no settings: everything else is a default.
 */
@NullMarked
package dev.waybill.guarddemo;

import org.jspecify.annotations.NullMarked;
