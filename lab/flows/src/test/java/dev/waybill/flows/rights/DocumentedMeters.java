package dev.waybill.flows.rights;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servicetestkit.HttpCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The meters that docs/operations.md lists, as Prometheus finds them at a service. */
final class DocumentedMeters {

    private static final Path DOCUMENT = Path.of("../../docs/operations.md");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(waybill\\.[a-z.]+)` \\| ([a-z ]+) \\|");

    private DocumentedMeters() {}

    /** All of them are there, but those of the other broker, and what is a gauge is a number. */
    static void assertAllAreAt(HttpCalls service, String otherBroker) throws IOException {
        String page = service.page("/actuator/prometheus");
        List<String> figures = figures(otherBroker).toList();
        assertThat(figures).hasSizeGreaterThan(30);
        assertThat(figures)
                .allSatisfy(figure -> assertThat(page.lines())
                        .as(figure)
                        .anyMatch(line -> line.startsWith(figure + "{") && !line.endsWith(" NaN")));
    }

    private static Stream<String> figures(String otherBroker) throws IOException {
        return ROW.matcher(Files.readString(DOCUMENT))
                .results()
                .filter(row -> !row.group(1).startsWith("waybill." + otherBroker + "."))
                .map(row -> row.group(1).replace('.', '_')
                        + switch (row.group(2)) {
                            case "counter" -> "_total";
                            case "timer" -> "_seconds_count";
                            case "summary" -> "_count";
                            case "gauge in seconds" -> "_seconds";
                            default -> "";
                        });
    }
}
