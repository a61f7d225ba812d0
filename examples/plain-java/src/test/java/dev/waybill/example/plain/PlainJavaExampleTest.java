package dev.waybill.example.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.memory.MemoryBroker;
import dev.waybill.memory.MemoryTransport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainJavaExampleTest {

    private static final Path SOURCE = Path.of("src/main/java/dev/waybill/example/plain/PlainJavaExample.java");

    @Test
    void theEventArrives() throws Exception {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:test;DB_CLOSE_DELAY=-1");
        MemoryBroker broker = new MemoryBroker();
        try (var relay = PlainJavaExample.placeOrder(dataSource, new MemoryTransport(broker), "ORD-7")) {
            await().until(() -> broker.read("ORDERS").size() == 1);
            assertThat(relay.isRunning()).isTrue();
        }
        assertThat(broker.read("ORDERS").get(0).message().event().payload()).isEqualTo("{\"orderNo\":\"ORD-7\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "README.zh-CN.md", "docs/getting-started.md", "docs/getting-started.zh-CN.md"})
    void theDocumentShowsThisCode(String document) throws IOException {
        assertThat(block(Files.readString(Path.of("../..", document))))
                .isEqualTo(region(Files.readString(SOURCE)).stripIndent().strip());
    }

    private static String region(String source) {
        return find("(?s)// example:plain\\n(.*?)\\n *// /example:plain", source);
    }

    private static String block(String document) {
        return find("(?s)<!-- example:plain -->\\s*```java\\n(.*?)\\n```\\s*<!-- /example:plain -->", document);
    }

    private static String find(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as("a match of " + pattern).isTrue();
        return found.group(1);
    }
}
