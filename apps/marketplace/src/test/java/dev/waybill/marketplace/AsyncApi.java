package dev.waybill.marketplace;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;

/** An AsyncAPI document, and what in a message does not fit it. Knows the words that our documents use, and no others. */
final class AsyncApi {

    private final Map<String, Object> document;

    private AsyncApi(Map<String, Object> document) {
        this.document = document;
    }

    static AsyncApi read(String file) throws IOException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("dev"))) {
            root = root.getParent();
        }
        try (Reader reader = Files.newBufferedReader(root.resolve(file))) {
            return new AsyncApi(new Yaml().load(reader));
        }
    }

    String address(String channel) {
        return String.valueOf(at("channels", channel).get("address"));
    }

    /** The schema of a channel's message of this tag. */
    Map<String, Object> payload(String channel, String tag) {
        Map<String, Object> messages = child(at("channels", channel), "messages");
        return child(resolve(child(messages, tag)), "payload");
    }

    /** One line per thing that does not fit, with its place. */
    List<String> misfits(Map<String, Object> schema, JsonNode value) {
        List<String> misfits = new ArrayList<>();
        check(schema, value, "$", misfits);
        return misfits;
    }

    private void check(Map<String, Object> reference, JsonNode value, String place, List<String> misfits) {
        Map<String, Object> schema = resolve(reference);
        for (Object part : (List<?>) schema.getOrDefault("allOf", List.of())) {
            check(map(part), value, place, misfits);
        }
        Object types = schema.getOrDefault("type", "any");
        List<?> allowed = types instanceof List<?> several ? several : List.of(types);
        if (allowed.stream().noneMatch(type -> is(String.valueOf(type), value))) {
            misfits.add(place + " is no " + types);
            return;
        }
        if (schema.containsKey("const") && !schema.get("const").equals(value.asString())) {
            misfits.add(place + " is not " + schema.get("const"));
        }
        if (schema.containsKey("minimum") && value.asLong() < ((Number) schema.get("minimum")).longValue()) {
            misfits.add(place + " is below " + schema.get("minimum"));
        }
        if (schema.containsKey("pattern") && !value.asString().matches((String) schema.get("pattern"))) {
            misfits.add(place + " does not match " + schema.get("pattern"));
        }
        if (schema.get("enum") instanceof List<?> words && !words.contains(value.asString())) {
            misfits.add(place + " is none of " + words);
        }
        if (value.isObject()) {
            checkFields(schema, value, place, misfits);
        }
    }

    private static boolean is(String type, JsonNode value) {
        return switch (type) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isString();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "null" -> value.isNull();
            default -> type.equals("any");
        };
    }

    private void checkFields(Map<String, Object> schema, JsonNode value, String place, List<String> misfits) {
        Map<String, Object> properties = map(schema.getOrDefault("properties", Map.of()));
        for (Object required : (List<?>) schema.getOrDefault("required", List.of())) {
            if (!value.hasNonNull(String.valueOf(required))) {
                misfits.add(place + "." + required + " is missing");
            }
        }
        value.properties().forEach(field -> {
            if (properties.containsKey(field.getKey())) {
                check(map(properties.get(field.getKey())), field.getValue(), place + "." + field.getKey(), misfits);
            } else if (Boolean.FALSE.equals(schema.get("additionalProperties"))) {
                misfits.add(place + "." + field.getKey() + " is not described");
            }
        });
    }

    private Map<String, Object> resolve(Map<String, Object> node) {
        Object reference = node.get("$ref");
        return reference == null
                ? node
                : at(String.valueOf(reference).substring(2).split("/", -1));
    }

    private Map<String, Object> at(String... path) {
        Map<String, Object> node = document;
        for (String step : path) {
            node = child(node, step);
        }
        return node;
    }

    private static Map<String, Object> child(Map<String, Object> node, String name) {
        if (!node.containsKey(name)) {
            throw new AssertionError("the document has no " + name + " there, only " + node.keySet());
        }
        return map(node.get(name));
    }

    @SuppressWarnings("unchecked") // YAML's maps with names as keys
    private static Map<String, Object> map(Object node) {
        return (Map<String, Object>) node;
    }
}
