package dev.waybill.starter.observability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.starter.observability.WaybillMeter.Kind;
import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** docs/operations.md lists exactly the meters that there are, and board and rules use no other. */
class OperationsDocumentTest {

    private static final Path ROOT = Path.of("../..");
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Path BOARD = ROOT.resolve("ops/grafana/waybill.json");
    private static final Path RULES = ROOT.resolve("ops/prometheus/waybill-rules.yaml");

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(waybill\\.[a-z.]+)` \\| ([a-z ]+) \\|([a-z, ]*)\\|");
    private static final Pattern NAME = Pattern.compile("waybill[_:][a-z0-9_:]+");
    private static final Pattern REGISTRATION =
            Pattern.compile("\\b(Counter|Gauge|Timer|DistributionSummary|FunctionCounter|MultiGauge)\\s*\\.builder");

    @Test
    void bothLanguagesListExactlyTheMetersThatThereAre() throws IOException {
        List<String> meters = Arrays.stream(WaybillMeter.values())
                .map(meter -> line(meter.text(), meter.kind().text(), String.join(", ", meter.tags())))
                .toList();
        assertThat(listed("docs/operations.md")).containsExactlyInAnyOrderElementsOf(meters);
        assertThat(listed("docs/operations.zh-CN.md")).isEqualTo(listed("docs/operations.md"));
    }

    /** So the list is complete. */
    @Test
    void nothingElseRegistersAMeter() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            List<Path> registering = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> REGISTRATION.matcher(read(file)).find())
                    .map(Path::getFileName)
                    .toList();
            assertThat(registering).containsExactly(Path.of("WaybillMeter.java"));
        }
    }

    /** That each one is registered when an application runs is seen by {@link EveryMeterTest}. */
    @Test
    void everyMeterIsUsed() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            String code = files.filter(file -> file.toString().endsWith(".java"))
                    .map(OperationsDocumentTest::read)
                    .collect(Collectors.joining());
            assertThat(WaybillMeter.values())
                    .allSatisfy(meter -> assertThat(code).contains("WaybillMeter." + meter.name()));
        }
    }

    @Test
    void theBoardAsksOnlyForFiguresThatThereAre() throws IOException {
        JsonNode board = JsonMapper.builder().build().readTree(Files.readString(BOARD));
        Set<String> asked = new TreeSet<>();
        board.path("panels").forEach(panel -> {
            assertThat(panel.path("targets").isEmpty())
                    .as(panel.path("title").asString())
                    .isFalse();
            panel.path("targets")
                    .forEach(target -> asked.addAll(names(target.path("expr").asString())));
        });
        assertThat(asked).isNotEmpty().isSubsetOf(figures());
    }

    @Test
    void theRulesAskOnlyForFiguresThatThereAre() throws IOException {
        Set<String> known = new TreeSet<>(figures());
        Set<String> asked = new TreeSet<>();
        Map<String, List<Map<String, List<Map<String, Object>>>>> file = new Yaml().load(Files.readString(RULES));
        for (Map<String, List<Map<String, Object>>> group : file.getOrDefault("groups", List.of())) {
            for (Map<String, Object> rule : group.getOrDefault("rules", List.of())) {
                asked.addAll(names(String.valueOf(rule.get("expr"))));
                Object recorded = rule.get("record");
                if (recorded != null) {
                    known.add(String.valueOf(recorded));
                } else {
                    assertThat(rule.get("alert")).isNotNull();
                    assertThat(String.valueOf(rule.get("annotations"))).contains("summary=", "action=");
                }
            }
        }
        assertThat(asked).hasSizeGreaterThan(10).isSubsetOf(known);
        for (String document : List.of("docs/operations.md", "docs/operations.zh-CN.md")) {
            assertThat(names(read(ROOT.resolve(document)))).isSubsetOf(known);
        }
    }

    private static List<String> listed(String document) {
        return ROW.matcher(read(ROOT.resolve(document)))
                .results()
                .map(row -> line(row.group(1), row.group(2), row.group(3).strip()))
                .toList();
    }

    private static String line(String name, String kind, String tags) {
        return name + " | " + kind + " | " + tags;
    }

    private static Set<String> names(String text) {
        return NAME.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
    }

    /** Every name under which Prometheus may ask for something. */
    private static Set<String> figures() {
        return Arrays.stream(WaybillMeter.values())
                .flatMap(OperationsDocumentTest::figures)
                .collect(Collectors.toSet());
    }

    static Stream<String> figures(WaybillMeter meter) {
        PrometheusNamingConvention convention = new PrometheusNamingConvention();
        return switch (meter.kind()) {
            case COUNTER -> Stream.of(convention.name(meter.text(), Meter.Type.COUNTER) + "_total");
            case GAUGE, SECONDS ->
                Stream.of(convention.name(
                        meter.text(), Meter.Type.GAUGE, meter.kind() == Kind.SECONDS ? "seconds" : null));
            case TIMER -> parts(convention.name(meter.text(), Meter.Type.TIMER, "seconds"));
            case SUMMARY -> parts(convention.name(meter.text(), Meter.Type.DISTRIBUTION_SUMMARY));
        };
    }

    private static Stream<String> parts(String name) {
        return Stream.of("_bucket", "_count", "_sum", "_max").map(part -> name + part);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
