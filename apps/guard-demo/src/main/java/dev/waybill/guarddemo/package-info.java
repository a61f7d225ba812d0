/**
 * A small service that shows the request guards.
 *
 * <p>It says nothing about them beyond two annotations: everything else is the starter's default.
 */
@NullMarked
package dev.waybill.guarddemo;

import org.jspecify.annotations.NullMarked;
