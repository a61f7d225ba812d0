/**
 * The one shape of every answer, the catalogue of its codes, and the one place where a failure becomes an answer.
 *
 * <p>No answer leaves without code, message, data and traceId, and none carries a stack trace or text that a caller sent.
 */
@NullMarked
package dev.waybill.guard.web;

import org.jspecify.annotations.NullMarked;
