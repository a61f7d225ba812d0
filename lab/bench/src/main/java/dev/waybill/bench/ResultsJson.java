package dev.waybill.bench;

import dev.waybill.servers.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** The run as programs read it: {@code lab/bench/results/latest.json}. */
final class ResultsJson {

    private ResultsJson() {}

    static Path write(BenchRun run) {
        Path file = Checkout.root().resolve("lab/bench/results/latest.json");
        try {
            Files.createDirectories(file.getParent());
            try (JsonGenerator json = JsonFactory.builder()
                    .build()
                    .createGenerator(ObjectWriteContext.empty(), file.toFile(), JsonEncoding.UTF8)) {
                write(json, run);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file;
    }

    private static void write(JsonGenerator json, BenchRun run) {
        json.writeStartObject();
        json.writeStringProperty("command", run.command());
        json.writeStringProperty("machine", run.machine().text());
        json.writeArrayPropertyStart("expectations");
        for (Expectation expectation : run.expectations()) {
            json.writeStartObject();
            json.writeStringProperty("text", expectation.text());
            json.writeNumberProperty("value", expectation.value());
            json.writeBooleanProperty("holds", expectation.holds());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayPropertyStart("rows");
        for (Results.Table table : run.results().tables()) {
            for (ResultRow row : table.rows()) {
                write(json, row);
            }
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, ResultRow row) {
        json.writeStartObject();
        json.writeStringProperty("workload", row.workload());
        json.writeStringProperty("environment", row.environment().title());
        json.writeStringProperty("contender", row.contender().id());
        json.writeStringProperty("title", row.contender().title());
        if (row.failure() != null) {
            json.writeStringProperty("failure", row.failure());
        }
        json.writeName("medians");
        write(json, row.medians());
        json.writeArrayPropertyStart("repeats");
        List<Figures> repeats = row.repeats();
        repeats.forEach(repeat -> write(json, repeat));
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Figures figures) {
        json.writeStartObject();
        for (Map.Entry<String, Double> figure : figures.byName().entrySet()) {
            if (Double.isFinite(figure.getValue())) {
                json.writeNumberProperty(figure.getKey(), figure.getValue());
            }
        }
        json.writeEndObject();
    }
}
