package dev.waybill.starter.observability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Grafana and Prometheus would load the files in ops/, and group only by labels that the figures have. */
class BoardAndRulesTest {

    private static final Path OPS = Path.of("../../ops");
    private static final int COLUMNS = 24;
    private static final Pattern FIGURE = Pattern.compile("waybill_[a-z0-9_]+");
    private static final Pattern SELECTOR = Pattern.compile("(waybill_[a-z0-9_]+)\\{([^}]*)}");
    private static final Pattern GROUPED = Pattern.compile("\\b(?:by|on) \\(([a-z, ]+)\\)");
    private static final Pattern RANGE = Pattern.compile("\\[([^]]*)]");
    private static final Pattern TEMPLATE_LABEL = Pattern.compile("\\$labels\\.([a-z]+)");
    private static final Pattern LEGEND_LABEL = Pattern.compile("\\{\\{([a-z]+)}}");
    private static final String DURATION = "[0-9]+[smhd]";

    @Test
    void theBoardHasPanelsBesideEachOtherAndQueriesThatCanBeAsked() throws IOException {
        JsonNode board = JsonMapper.builder().build().readTree(Files.readString(OPS.resolve("grafana/waybill.json")));
        assertThat(board.path("schemaVersion").asInt()).isGreaterThan(36);
        assertThat(board.path("templating").path("list"))
                .extracting(variable -> variable.path("name").asString())
                .containsExactly("datasource", "application");
        Set<Integer> ids = new HashSet<>();
        Set<String> cells = new HashSet<>();
        for (JsonNode panel : board.path("panels")) {
            String title = panel.path("title").asString("");
            assertThat(ids.add(panel.path("id").asInt())).as(title).isTrue();
            assertThat(panel.path("datasource").path("uid").asString("")).isEqualTo("${datasource}");
            assertThat(cellsOf(panel.path("gridPos")))
                    .as(title)
                    .isNotEmpty()
                    .allSatisfy(cell -> assertThat(cells.add(cell))
                            .as(title + " at " + cell)
                            .isTrue());
            Set<String> references = new HashSet<>();
            for (JsonNode target : panel.path("targets")) {
                String expression = target.path("expr").asString("");
                assertThat(references.add(target.path("refId").asString("")))
                        .as(title)
                        .isTrue();
                assertThat(expression).contains("application=~\"$application\"");
                assertCanBeAsked(expression);
                assertThat(labels(LEGEND_LABEL, target.path("legendFormat").asString("")))
                        .as(title)
                        .isSubsetOf(resultLabels(expression));
            }
        }
    }

    @Test
    void theRulesCanBeAskedAndNameOnlyLabelsThatTheirResultsHave() throws IOException {
        Map<String, List<Map<String, List<Map<String, Object>>>>> file =
                new Yaml().load(Files.readString(OPS.resolve("prometheus/waybill-rules.yaml")));
        Set<String> names = new HashSet<>();
        for (Map<String, List<Map<String, Object>>> group : file.getOrDefault("groups", List.of())) {
            for (Map<String, Object> rule : group.getOrDefault("rules", List.of())) {
                String name = String.valueOf(rule.containsKey("alert") ? rule.get("alert") : rule.get("record"));
                assertThat(names.add(name)).as(name).isTrue();
                String expression = String.valueOf(rule.get("expr"));
                assertCanBeAsked(expression);
                if (rule.containsKey("alert")) {
                    assertThat(expression).as(name).containsPattern(" (>|==|<) ");
                    assertThat(String.valueOf(rule.getOrDefault("for", "0s")))
                            .as(name)
                            .matches(DURATION);
                    assertThat(String.valueOf(rule.get("labels"))).as(name).matches("\\{severity=(warning|critical)}");
                    assertThat(labels(TEMPLATE_LABEL, String.valueOf(rule.get("annotations"))))
                            .as(name)
                            .isSubsetOf(resultLabels(expression));
                }
            }
        }
    }

    private static List<String> cellsOf(JsonNode place) {
        List<String> cells = new ArrayList<>();
        int right = place.path("x").asInt() + place.path("w").asInt();
        assertThat(right).isLessThanOrEqualTo(COLUMNS);
        for (int x = place.path("x").asInt(); x < right; x++) {
            for (int y = place.path("y").asInt();
                    y < place.path("y").asInt() + place.path("h").asInt();
                    y++) {
                cells.add(x + "," + y);
            }
        }
        return cells;
    }

    private static void assertCanBeAsked(String expression) {
        assertThat(isBalanced(expression)).as(expression).isTrue();
        assertThat(labels(RANGE, expression)).as(expression).allMatch(range -> range.matches(DURATION));
        Matcher selector = SELECTOR.matcher(expression);
        while (selector.find()) {
            assertThat(Arrays.stream(selector.group(2).split(",", -1)).map(part -> part.replaceAll("[=!~].*", "")))
                    .as(selector.group())
                    .isSubsetOf(labelsOf(selector.group(1)));
        }
        Set<String> there = labelsOfAll(expression);
        Matcher grouped = GROUPED.matcher(expression);
        while (grouped.find()) {
            assertThat(grouped.group(1).split(", ", -1)).as(expression).isSubsetOf(there);
        }
    }

    /** Those by which it is grouped, or all that its figures have. */
    private static Set<String> resultLabels(String expression) {
        if (!expression.matches("(?s)^\\s*(sum|max|min|histogram_quantile).*")) {
            return labelsOfAll(expression);
        }
        Set<String> labels = new HashSet<>();
        GROUPED.matcher(expression)
                .results()
                .forEach(group -> labels.addAll(List.of(group.group(1).split(", ", -1))));
        return labels;
    }

    private static Set<String> labelsOfAll(String expression) {
        return FIGURE.matcher(expression)
                .results()
                .flatMap(figure -> labelsOf(figure.group()).stream())
                .collect(Collectors.toSet());
    }

    private static Set<String> labelsOf(String figure) {
        Map<String, Set<String>> labels = new HashMap<>();
        for (WaybillMeter meter : WaybillMeter.values()) {
            OperationsDocumentTest.figures(meter).forEach(name -> {
                Set<String> there = new HashSet<>(meter.tags());
                there.addAll(List.of("application", "instance"));
                if (name.endsWith("_bucket")) {
                    there.add("le");
                }
                labels.put(name, there);
            });
        }
        return labels.getOrDefault(figure, Set.of());
    }

    private static Set<String> labels(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).collect(Collectors.toSet());
    }

    /** Parentheses, braces and brackets outside of quotes. */
    private static boolean isBalanced(String expression) {
        Deque<Character> open = new ArrayDeque<>();
        boolean quoted = false;
        for (int i = 0; i < expression.length(); i++) {
            char c = expression.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && "({[".indexOf(c) >= 0) {
                open.push(")}]".charAt("({[".indexOf(c)));
            } else if (!quoted && ")}]".indexOf(c) >= 0 && (open.isEmpty() || open.pop() != c)) {
                return false;
            }
        }
        return !quoted && open.isEmpty();
    }
}
