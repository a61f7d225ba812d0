package dev.waybill.servicetestkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * A service's AsyncAPI document, against which messages are validated. AsyncAPI's schemas are JSON Schema draft 7; formats
 * such as {@code date-time} are checked too.
 */
public final class AsyncApiDocument {

    private static final SchemaValidatorsConfig CONFIG =
            SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();

    /** Not the file's name: the library would read what ends with ".yaml" as YAML again. */
    private static final String LOCATION = "asyncapi:///document";

    private final String file;
    private final JsonNode document;
    private final JsonSchemaFactory schemas;
    private final Map<String, JsonSchema> payloads = new ConcurrentHashMap<>();

    private AsyncApiDocument(String file, JsonNode document) {
        this.file = file;
        this.document = document;
        this.schemas = JsonSchemaFactory.getInstance(
                SpecVersion.VersionFlag.V7,
                builder -> builder.schemaLoaders(loaders -> loaders.schemas(Map.of(LOCATION, document.toString()))));
    }

    /** Reads a YAML document by its path from the repository's root. */
    public static AsyncApiDocument read(String file) throws IOException {
        try (Reader reader = Files.newBufferedReader(ProjectFiles.file(file))) {
            Object document = new Yaml(new SafeConstructor(new LoaderOptions())).load(reader);
            return new AsyncApiDocument(file, new ObjectMapper().valueToTree(document));
        }
    }

    /** The address of a channel. */
    public String address(String channel) {
        return at("/channels/" + channel + "/address").asText();
    }

    /** A text field of a channel's message, such as {@code x-rocketmq-tag}. */
    public String text(String channel, String message, String field) {
        return at(messagePointer(channel, message) + "/" + field).asText();
    }

    /** One line for each rule of the document that the body breaks; empty where it is valid. */
    public List<String> violations(String channel, String message, byte[] body) {
        JsonSchema payload = payloads.computeIfAbsent(messagePointer(channel, message) + "/payload", this::schema);
        return payload.validate(new String(body, StandardCharsets.UTF_8), InputFormat.JSON).stream()
                .map(ValidationMessage::getMessage)
                .sorted()
                .toList();
    }

    /** Where the message is described: a channel refers to it. */
    private String messagePointer(String channel, String message) {
        return at("/channels/" + channel + "/messages/" + message + "/$ref")
                .asText()
                .substring(1);
    }

    private JsonSchema schema(String pointer) {
        at(pointer);
        return schemas.getSchema(SchemaLocation.of(LOCATION + "#" + pointer), CONFIG);
    }

    private JsonNode at(String pointer) {
        JsonNode found = document.at(pointer);
        if (found.isMissingNode()) {
            throw new IllegalArgumentException(file + " has no " + pointer);
        }
        return found;
    }
}
