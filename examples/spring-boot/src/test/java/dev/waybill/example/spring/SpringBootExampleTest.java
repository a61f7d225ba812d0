package dev.waybill.example.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.memory.MemoryBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.dao.DataIntegrityViolationException;

@SpringBootTest
class SpringBootExampleTest {

    private static final Path JAVA = Path.of("src/main/java/dev/waybill/example/spring/Orders.java");
    private static final Path YAML = Path.of("src/main/resources/application.yaml");

    @Autowired
    private Orders orders;

    @Autowired
    private MemoryBroker broker;

    @Test
    void everyOrderIsToldOnceAndAFailedOneIsNot() {
        orders.place("ORD-2");
        assertThatThrownBy(() -> orders.place("ORD-2")).isInstanceOf(DataIntegrityViolationException.class);
        orders.place("ORD-3");
        await().until(() -> told().size() >= 3);
        assertThat(told())
                .containsExactlyInAnyOrder(
                        "{\"orderNo\":\"ORD-1\"}", "{\"orderNo\":\"ORD-2\"}", "{\"orderNo\":\"ORD-3\"}");
    }

    private List<String> told() {
        return broker.read("ORDER_TOPIC").stream()
                .map(delivery -> delivery.message().event().payload())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "README.zh-CN.md", "docs/getting-started.md", "docs/getting-started.zh-CN.md"})
    void theDocumentShowsThisCode(String document) throws IOException {
        String shown = find(
                "(?s)<!-- example:spring -->(.*?)<!-- /example:spring -->",
                Files.readString(Path.of("../..", document)));
        assertThat(find("(?s)```java\\n(.*?)\\n```", shown)).isEqualTo(region("//", JAVA));
        assertThat(find("(?s)```yaml\\n(.*?)\\n```", shown)).isEqualTo(region("#", YAML));
    }

    private static String region(String comment, Path source) throws IOException {
        String mark = comment + " /?example:spring";
        return find("(?s)" + mark + "\\n(.*?)\\n *" + mark, Files.readString(source))
                .stripIndent()
                .strip();
    }

    private static String find(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as("a match of " + pattern).isTrue();
        return found.group(1);
    }
}
