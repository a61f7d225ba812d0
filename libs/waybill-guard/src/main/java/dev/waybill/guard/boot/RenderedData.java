package dev.waybill.guard.boot;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * The answer's {@code data} as JSON. The first run and every repeat of an idempotent request send these very characters, so
 * they can't differ by a type that was lost in between.
 */
record RenderedData(@JsonValue @JsonRawValue String json) {}
