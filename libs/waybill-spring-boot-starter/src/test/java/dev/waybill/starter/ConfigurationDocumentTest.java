package dev.waybill.starter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** docs/configuration.md lists exactly the properties that the code has; the table is made from their metadata. */
class ConfigurationDocumentTest {

    private static final Path DOCUMENT = Path.of("../../docs/configuration.md");
    private static final String METADATA = "/META-INF/spring-configuration-metadata.json";

    @Test
    void theDocumentListsExactlyThePropertiesThatExist() throws IOException {
        String document = Files.readString(DOCUMENT);
        String expected = String.join("\n", table());
        assertThat(document).as("the table should read:%n%s%n", expected).contains(expected);
        assertThat(document.substring(0, document.indexOf("\n## "))
                        .lines()
                        .filter(line -> line.startsWith("| `waybill.")))
                .hasSize(table().size() - 2);
    }

    @Test
    void everyPropertyIsDescribed() throws IOException {
        assertThat(properties())
                .allSatisfy(property -> assertThat(property.path("description").asString(""))
                        .as(property.path("name").asString())
                        .isNotBlank());
    }

    private static List<String> table() throws IOException {
        List<String> rows = new ArrayList<>();
        rows.add("| property | default | meaning |");
        rows.add("| --- | --- | --- |");
        properties().stream()
                .sorted(Comparator.comparing(property -> property.path("name").asString()))
                .forEach(property -> rows.add("| `" + property.path("name").asString() + "` | "
                        + code(property.path("defaultValue")) + " | "
                        + property.path("description").asString("").replaceAll("\\s+", " ") + " |"));
        return rows;
    }

    private static String code(JsonNode value) {
        return value.isMissingNode() || value.asString("").isEmpty()
                ? ""
                : "`" + (value.isString() ? value.asString() : value.toString()) + "`";
    }

    private static List<JsonNode> properties() throws IOException {
        try (InputStream in = ConfigurationDocumentTest.class.getResourceAsStream(METADATA)) {
            List<JsonNode> properties = new ArrayList<>();
            JsonMapper.builder().build().readTree(in).path("properties").forEach(properties::add);
            assertThat(properties).isNotEmpty();
            return properties;
        }
    }
}
