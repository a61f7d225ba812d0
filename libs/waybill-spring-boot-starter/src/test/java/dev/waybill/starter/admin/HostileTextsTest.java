package dev.waybill.starter.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.HttpReply;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Texts that a server's own columns refuse are the caller's mistake, and no failure of the application. */
@Servers({Server.MARIADB, Server.POSTGRESQL})
class HostileTextsTest {

    private static final List<String> TEXTS = List.of("\u0000", "a\u0000b", "😀", "\uFFFE", "\\", "' OR '1'='1");

    @Test
    void onPostgreSql(PostgreSql server) {
        findNothing(server.freshDatabase());
    }

    @Test
    void onMariaDb(MariaDb server) {
        findNothing(server.freshDatabase());
    }

    private static void findNothing(Database database) {
        try (AdminShop shop = new AdminShop(
                "spring.datasource.url=" + database.jdbcUrl(),
                "spring.datasource.username=" + database.user(),
                "spring.datasource.password=" + database.password())) {
            shop.letter("{}", "an ordinary error");
            for (String text : TEXTS) {
                for (String name : List.of("source", "group", "eventType", "error")) {
                    String query = "?" + name + "=" + URLEncoder.encode(text, StandardCharsets.UTF_8);
                    assertFindsNothing(shop.viewer().get(AdminApi.PATH + "/dead-letters" + query));
                }
                for (String name : List.of("eventId", "key", "traceId", "type", "topic", "tag")) {
                    String query = "?" + name + "=" + URLEncoder.encode(text, StandardCharsets.UTF_8);
                    assertFindsNothing(shop.viewer().get(AdminApi.PATH + "/events" + query));
                }
            }
            String odd = "\\u0000";
            for (String body : List.of(
                    "{\"choice\":{\"ids\":[\"" + odd + "\"]},\"reason\":\"mended\"}",
                    "{\"choice\":{\"ids\":[\"a" + odd + "\"]},\"reason\":\"mended\"}")) {
                assertRefused(shop.operator().post(AdminApi.PATH + "/dead-events/requeue", body));
            }
        }
    }

    private static void assertFindsNothing(HttpReply reply) {
        if (reply.status() == 200) {
            assertThat(reply.data().path("items")).isEmpty();
        } else {
            assertRefused(reply);
        }
    }

    private static void assertRefused(HttpReply reply) {
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(400);
        assertThat(reply.text("error")).isEqualTo("bad_input");
    }
}
