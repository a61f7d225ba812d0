package dev.waybill.guard.boot;

import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * One text for every way to write the same JSON: fields in order of their names and only those that have a value, numbers
 * by their value ({@code 1} is {@code 1.0}). The order of an array counts.
 */
final class CanonicalJson {

    private CanonicalJson() {}

    static String of(JsonNode node) {
        StringBuilder text = new StringBuilder();
        write(node, text);
        return text.toString();
    }

    private static void write(JsonNode node, StringBuilder text) {
        if (node.isObject()) {
            writeFields(node, text);
        } else if (node.isArray()) {
            text.append('[');
            for (JsonNode element : node) {
                write(element, text);
                text.append(',');
            }
            text.append(']');
        } else if (node.isNumber()) {
            text.append(node.decimalValue().stripTrailingZeros());
        } else {
            // Quotes and escapes keep a text apart from a number and from the signs around it.
            text.append(node.toString());
        }
    }

    private static void writeFields(JsonNode object, StringBuilder text) {
        Map<String, JsonNode> fields = new TreeMap<>();
        object.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
        text.append('{');
        fields.forEach((name, value) -> {
            if (!value.isNull()) {
                text.append(name.length()).append(':').append(name).append('=');
                write(value, text);
                text.append(',');
            }
        });
        text.append('}');
    }
}
