package dev.waybill.jdbc.archive;

import java.io.ByteArrayOutputStream;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * One row as one line: {@code {"table":"…","row":{"column":"text","other":null,"bytes":{"base64":"…"}}}}. Numbers and times are
 * texts too, because a database reads its own spelling back without loss.
 */
final class ArchiveLine {

    private static final String TABLE = "table";
    private static final String ROW = "row";
    private static final String BASE64 = "base64";

    /** Columns are as long as the database lets them be. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private ArchiveLine() {}

    /** The line with its end. */
    static byte[] encode(ArchivedRow row) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
            json.writeStartObject();
            json.writeStringProperty(TABLE, row.table());
            json.writeName(ROW);
            json.writeStartObject();
            row.columns().forEach((column, value) -> {
                json.writeName(column);
                write(json, value);
            });
            json.writeEndObject();
            json.writeEndObject();
        }
        bytes.write('\n');
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator json, @Nullable Object value) {
        if (value == null) {
            json.writeNull();
        } else if (value instanceof byte[] bytes) {
            json.writeStartObject();
            json.writeStringProperty(BASE64, Base64.getEncoder().encodeToString(bytes));
            json.writeEndObject();
        } else {
            json.writeString((String) value);
        }
    }

    /**
     * Reads a line.
     *
     * @throws ArchiveException DAMAGED when it is none of ours
     */
    static ArchivedRow decode(String line) {
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), line)) {
            expect(json.nextToken() == JsonToken.START_OBJECT);
            expect(TABLE.equals(json.nextName()));
            expect(json.nextToken() == JsonToken.VALUE_STRING);
            String table = json.getString();
            expect(ROW.equals(json.nextName()));
            expect(json.nextToken() == JsonToken.START_OBJECT);
            Map<String, @Nullable Object> columns = new LinkedHashMap<>();
            for (String column = json.nextName(); column != null; column = json.nextName()) {
                columns.put(column, value(json));
            }
            expect(json.nextToken() == JsonToken.END_OBJECT);
            expect(json.nextToken() == null);
            return new ArchivedRow(table, columns);
        } catch (JacksonException | IllegalArgumentException e) {
            throw new ArchiveException(ArchiveException.Reason.DAMAGED, "a line is no archived row", e);
        }
    }

    private static @Nullable Object value(JsonParser json) {
        JsonToken token = json.nextToken();
        if (token == JsonToken.VALUE_NULL) {
            return null;
        }
        if (token == JsonToken.START_OBJECT) {
            expect(BASE64.equals(json.nextName()));
            expect(json.nextToken() == JsonToken.VALUE_STRING);
            byte[] bytes = Base64.getDecoder().decode(json.getString());
            expect(json.nextToken() == JsonToken.END_OBJECT);
            return bytes;
        }
        expect(token == JsonToken.VALUE_STRING);
        return json.getString();
    }

    private static void expect(boolean holds) {
        if (!holds) {
            throw new ArchiveException(ArchiveException.Reason.DAMAGED, "a line is no archived row", null);
        }
    }
}
