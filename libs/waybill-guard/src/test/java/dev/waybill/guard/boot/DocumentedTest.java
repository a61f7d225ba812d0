package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.guard.web.Code;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lists in the documentation are the lists in the code, in both languages. */
class DocumentedTest {

    private static final Path DOCS = Path.of("..", "..", "docs");

    private static List<String> rows(String page, String pattern) throws IOException {
        Matcher rows = Pattern.compile(pattern, Pattern.MULTILINE).matcher(Files.readString(DOCS.resolve(page)));
        List<String> found = new ArrayList<>();
        while (rows.find()) {
            found.add(rows.group(1));
        }
        return found;
    }

    @ParameterizedTest
    @ValueSource(strings = {"guards.md", "guards.zh-CN.md"})
    void theCodesAreTheCatalogue(String page) throws IOException {
        CodeCatalogue catalogue = new CodeCatalogue(Map.of());
        List<String> expected = Arrays.stream(Code.values())
                .map(code -> code.text() + " | " + code.status() + " | " + catalogue.message(code, null) + " | "
                        + catalogue.message(code, "en"))
                .toList();
        assertThat(rows(page, "^\\| ([A-Z0-9_]+ \\| \\d{3} \\| .+ \\| .+) \\|$"))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"guards.md", "guards.zh-CN.md"})
    void theMetricsAreTheEnum(String page) throws IOException {
        assertThat(rows(page, "^\\| (`waybill\\.guard\\.[a-z.]+` \\| `[a-z]+`), `outcome` \\|"))
                .isEqualTo(Arrays.stream(GuardMetric.values())
                        .map(metric -> "`" + metric.text() + "` | `" + metric.tag() + "`")
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"guards.md", "guards.zh-CN.md"})
    void theSettingsAreTheRecords(String page) throws IOException {
        List<String> documented = rows(page, "^\\| `waybill\\.guard\\.([a-z.-]+)(?:\\[.*|\\.\\*)?` \\| (?!`)");
        List<String> real = Stream.of(GuardSettings.class.getRecordComponents())
                .flatMap(DocumentedTest::leaves)
                .map(name -> name.replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT))
                .toList();
        assertThat(documented).containsExactlyInAnyOrderElementsOf(real);
    }

    private static Stream<String> leaves(RecordComponent component) {
        return component.getType().isRecord()
                ? Stream.of(component.getType().getRecordComponents())
                        .map(inner -> component.getName() + "." + inner.getName())
                : Stream.of(component.getName());
    }
}
