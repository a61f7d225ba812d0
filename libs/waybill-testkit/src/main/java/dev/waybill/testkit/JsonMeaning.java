package dev.waybill.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** A JSON text without its accidents: order of names, white space, ways to write a character or a number. */
final class JsonMeaning {

    private static final JsonFactory JSON = new JsonFactory();

    private JsonMeaning() {}

    static String of(String text) {
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
            json.nextToken();
            return value(json);
        }
    }

    private static String value(JsonParser json) {
        JsonToken token = json.currentToken();
        if (token == JsonToken.START_OBJECT) {
            Map<String, String> members = new TreeMap<>();
            for (String name = json.nextName(); name != null; name = json.nextName()) {
                json.nextToken();
                members.put(name, value(json));
            }
            return members.toString();
        }
        if (token == JsonToken.START_ARRAY) {
            List<String> items = new ArrayList<>();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                items.add(value(json));
            }
            return items.toString();
        }
        return token.isNumeric()
                ? json.getDecimalValue().stripTrailingZeros().toPlainString()
                : token + ":" + json.getString();
    }
}
