package dev.waybill.starter.admin;

import org.jspecify.annotations.Nullable;

/** The one shape of answers, the same that waybill-guard gives; here for applications that do not have it. */
record AdminAnswer(
        String code,
        String message,
        @Nullable Object data,
        @Nullable String traceId) {}
