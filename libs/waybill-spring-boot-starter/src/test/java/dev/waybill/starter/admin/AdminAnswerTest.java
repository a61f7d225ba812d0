package dev.waybill.starter.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servicetestkit.HttpReply;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Without the guards the answers have the shape that they give. */
class AdminAnswerTest {

    @Test
    void answersHaveTheOneShapeAlsoWithoutTheGuards() {
        try (AdminShop shop =
                new AdminShop("spring.autoconfigure.exclude=dev.waybill.guard.boot.GuardAutoConfiguration")) {
            String path = AdminShop.API + "/dead-letters";
            assertShape(shop.viewer().get(path), 200, "00000");
            assertShape(shop.nobody().get(path), 401, "A0230");
            assertShape(shop.stranger().get(path), 403, "A0301");
            assertShape(shop.viewer().get(path + "/424242"), 404, "NOT_FOUND");
            assertShape(shop.viewer().get(path + "/tea"), 400, "A0400");
            assertShape(shop.operator().post(path + "/replay", "not json"), 400, "A0400");
            shop.service().update("ALTER TABLE waybill_job RENAME TO jobs_away");
            assertShape(shop.viewer().get(AdminShop.API + "/jobs"), 500, "B0001");
        }
    }

    private static void assertShape(HttpReply reply, int status, String code) {
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(status);
        assertThat(reply.body().properties().stream().map(Map.Entry<String, JsonNode>::getKey))
                .containsExactly("code", "message", "data", "traceId");
        assertThat(reply.code()).isEqualTo(code);
        assertThat(reply.body().path("message").asString()).isNotBlank();
        assertThat(reply.text("error").isEmpty()).isEqualTo(status == 200);
        assertThat(reply.body().toString()).doesNotContain("dev.waybill", "org.springframework", "SELECT");
    }
}
