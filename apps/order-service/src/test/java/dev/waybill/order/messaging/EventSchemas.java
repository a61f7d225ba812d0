package dev.waybill.order.messaging;

import java.io.IOException;
import java.io.Reader;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;

/** The AsyncAPI file, and what of a message contradicts it. Knows the parts of JSON Schema that the file uses, no others. */
final class EventSchemas {

    private static final Path DOCUMENT = Path.of("../../docs/events/order.asyncapi.yaml");
    private static final Collection<String> WORDS = List.of(
            "$ref",
            "allOf",
            "type",
            "required",
            "additionalProperties",
            "properties",
            "items",
            "const",
            "pattern",
            "minimum",
            "description");

    private final Map<String, Object> document;

    private EventSchemas(Map<String, Object> document) {
        this.document = document;
    }

    static EventSchemas read() throws IOException {
        try (Reader text = Files.newBufferedReader(DOCUMENT)) {
            return new EventSchemas(new Yaml().load(text));
        }
    }

    Object at(String... path) {
        Object found = document;
        for (String step : path) {
            found = map(found).get(step);
            if (found == null) {
                throw new IllegalArgumentException("the document has no " + List.of(path));
            }
        }
        return found;
    }

    /** Everything that is wrong with a message of this type. */
    List<String> complaints(String type, JsonNode message) {
        List<String> complaints = new ArrayList<>();
        check(map(at("components", "messages", type, "payload")), message, "$", complaints);
        return complaints;
    }

    private void check(Map<String, Object> schema, JsonNode value, String where, List<String> complaints) {
        if (!WORDS.containsAll(schema.keySet())) {
            throw new IllegalArgumentException("teach me " + schema.keySet());
        }
        if (schema.get("$ref") instanceof String reference) {
            check(map(at(reference.substring(2).split("/"))), value, where, complaints);
        }
        for (Object part : list(schema.get("allOf"))) {
            check(map(part), value, where, complaints);
        }
        if (schema.containsKey("type") && !isOf(schema.get("type"), value)) {
            complaints.add(where + " is no " + schema.get("type"));
        }
        checkScalar(schema, value, where, complaints);
        checkObject(schema, value, where, complaints);
        if (schema.containsKey("items")) {
            value.forEach(each -> check(map(schema.get("items")), each, where + "[]", complaints));
        }
    }

    private static void checkScalar(Map<String, Object> schema, JsonNode value, String where, List<String> complaints) {
        if (schema.containsKey("const") && !value.asString("").equals(schema.get("const"))) {
            complaints.add(where + " is not " + schema.get("const"));
        }
        if (schema.get("pattern") instanceof String pattern
                && !value.asString("").matches(pattern)) {
            complaints.add(where + " does not match " + pattern);
        }
        if (schema.get("minimum") instanceof Number least
                && value.isNumber()
                && value.decimalValue().compareTo(new BigDecimal(least.toString())) < 0) {
            complaints.add(where + " is below " + least);
        }
    }

    private void checkObject(Map<String, Object> schema, JsonNode value, String where, List<String> complaints) {
        Map<String, Object> properties = map(schema.getOrDefault("properties", Map.of()));
        list(schema.get("required")).stream()
                .filter(name -> !value.has(String.valueOf(name)))
                .forEach(name -> complaints.add(where + " has no " + name));
        if (Boolean.FALSE.equals(schema.get("additionalProperties"))) {
            TreeSet<String> unknown = new TreeSet<>(value.propertyNames());
            unknown.removeAll(properties.keySet());
            unknown.forEach(name -> complaints.add(where + " has a " + name + ", which is not in the document"));
        }
        properties.forEach((name, schemaOfIt) -> {
            if (value.has(name)) {
                check(map(schemaOfIt), value.get(name), where + "." + name, complaints);
            }
        });
    }

    private static boolean isOf(Object type, JsonNode value) {
        return switch (String.valueOf(type)) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isString();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            default -> throw new IllegalArgumentException("teach me " + type);
        };
    }

    @SuppressWarnings("unchecked") // YAML's own types
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    private static List<?> list(Object value) {
        return value == null ? List.of() : (List<?>) value;
    }
}
