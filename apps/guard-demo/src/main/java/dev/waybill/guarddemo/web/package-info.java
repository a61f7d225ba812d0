/**
 * The demo's handlers.
 *
 * <p>A package of its own, so that another application can scan it.
 */
@NullMarked
package dev.waybill.guarddemo.web;

import org.jspecify.annotations.NullMarked;
