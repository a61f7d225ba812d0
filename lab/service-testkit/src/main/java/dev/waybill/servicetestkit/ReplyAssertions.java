package dev.waybill.servicetestkit;

import static org.assertj.core.api.Assertions.assertThat;

/** What every service's refusals look like. */
public final class ReplyAssertions {

    private ReplyAssertions() {}

    /** The four fields of every reply, and nothing of the service's inside. */
    public static void assertRefused(HttpReply reply, int status, String code) {
        assertThat(reply.body().propertyNames()).containsExactly("code", "message", "data", "traceId");
        assertThat(reply.code()).isEqualTo(code);
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.body().path("message").asString()).isNotBlank();
        assertThat(reply.body().toString()).doesNotContain("Exception", "dev.waybill", "java.", "SQL");
    }

    /** The reply of a service whose database does not answer. */
    public static void assertUnavailable(HttpReply reply) {
        assertThat(reply.code()).isEqualTo("C0001");
        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.body().toString()).doesNotContain("Exception", "jdbc");
    }
}
