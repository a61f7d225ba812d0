/**
 * What handlers return and throw: the one shape of every answer, the catalogue of its codes, and refusals.
 *
 * <p>No answer is sent without code, message, data and traceId, and none contains a stack trace or text that a caller sent.
 */
@NullMarked
package dev.waybill.guard.web;

import org.jspecify.annotations.NullMarked;
