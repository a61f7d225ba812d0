package dev.waybill.example.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.memory.MemoryBroker;
import dev.waybill.memory.StoredMessage;
import dev.waybill.message.Message;
import dev.waybill.transport.Transport;
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
import org.springframework.jdbc.core.JdbcTemplate;

@SpringBootTest
class SpringBootExampleTest {

    private static final Path JAVA = Path.of("src/main/java/dev/waybill/example/spring/OrderService.java");
    private static final Path LISTENER = Path.of("src/main/java/dev/waybill/example/spring/InvoiceConsumer.java");
    private static final Path YAML = Path.of("src/main/resources/application.yaml");

    @Autowired
    private OrderService orders;

    @Autowired
    private MemoryBroker broker;

    @Autowired
    private Transport transport;

    @Autowired
    private JdbcTemplate jdbc;

    @Test
    void everyOrderIsToldOnceAndAFailedOneIsNot() {
        orders.place("ORD-2");
        assertThatThrownBy(() -> orders.place("ORD-2")).isInstanceOf(DataIntegrityViolationException.class);
        orders.place("ORD-3");
        await().until(() -> told().containsAll(
                        List.of("{\"orderNo\":\"ORD-1\"}", "{\"orderNo\":\"ORD-2\"}", "{\"orderNo\":\"ORD-3\"}")));
        assertThat(told())
                .filteredOn(payload -> payload.matches(".*ORD-[123]\\W.*"))
                .containsExactlyInAnyOrder(
                        "{\"orderNo\":\"ORD-1\"}", "{\"orderNo\":\"ORD-2\"}", "{\"orderNo\":\"ORD-3\"}");
    }

    @Test
    void everyOrderHasOneInvoiceAlthoughItsEventIsDeliveredTwice() {
        orders.place("ORD-4");
        await().until(() -> invoices("ORD-4") == 1);
        Message told = broker.read("ORDER_TOPIC").stream()
                .map(StoredMessage::message)
                .filter(message -> message.event().payload().contains("ORD-4"))
                .findFirst()
                .orElseThrow();
        transport.send(List.of(told), (index, outcome) -> {});
        orders.place("ORD-5");
        await().until(() -> invoices("ORD-5") == 1);
        assertThat(invoices("ORD-4")).isEqualTo(1);
    }

    private int invoices(String orderNo) {
        Integer count = jdbc.queryForObject("SELECT count(*) FROM invoices WHERE order_no = ?", Integer.class, orderNo);
        return count == null ? 0 : count;
    }

    private List<String> told() {
        return broker.read("ORDER_TOPIC").stream()
                .map(delivery -> delivery.message().event().payload())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "README.zh-CN.md", "docs/getting-started.md", "docs/getting-started.zh-CN.md"})
    void theDocumentShowsThisCode(String document) throws IOException {
        shows(document, "spring", JAVA);
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/getting-started.md", "docs/getting-started.zh-CN.md"})
    void theDocumentShowsHowToConsume(String document) throws IOException {
        shows(document, "consume", LISTENER);
    }

    private static void shows(String document, String example, Path java) throws IOException {
        String shown = find(
                "(?s)<!-- example:" + example + " -->(.*?)<!-- /example:" + example + " -->",
                Files.readString(Path.of("../..", document)));
        assertThat(find("(?s)```java\\n(.*?)\\n```", shown)).isEqualTo(region("//", example, java));
        assertThat(find("(?s)```yaml\\n(.*?)\\n```", shown)).isEqualTo(region("#", example, YAML));
    }

    private static String region(String comment, String example, Path source) throws IOException {
        String mark = comment + " /?example:" + example;
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
