package dev.waybill.servicetestkit.otlp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** One message of protobuf's wire format: the values of its fields by number, in order. */
final class ProtobufFields {

    private static final int VARINT = 0;
    private static final int FIXED_64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED_32 = 5;

    private final Map<Integer, List<Object>> values = new HashMap<>();

    private ProtobufFields() {}

    static ProtobufFields read(ByteBuffer message) {
        ProtobufFields fields = new ProtobufFields();
        ByteBuffer rest = message.slice().order(ByteOrder.LITTLE_ENDIAN);
        while (rest.hasRemaining()) {
            int key = (int) varint(rest);
            fields.values
                    .computeIfAbsent(key >>> 3, number -> new ArrayList<>())
                    .add(value(rest, key & 7));
        }
        return fields;
    }

    private static Object value(ByteBuffer rest, int wireType) {
        return switch (wireType) {
            case VARINT -> varint(rest);
            case FIXED_64 -> rest.getLong();
            case BYTES -> {
                int length = (int) varint(rest);
                ByteBuffer bytes = rest.slice(rest.position(), length);
                rest.position(rest.position() + length);
                yield bytes;
            }
            case FIXED_32 -> (long) rest.getInt();
            default -> throw new IllegalArgumentException("wire type " + wireType);
        };
    }

    private static long varint(ByteBuffer rest) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = rest.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    List<ProtobufFields> messages(int number) {
        return all(number).stream().map(value -> read((ByteBuffer) value)).toList();
    }

    String text(int number) {
        return all(number).isEmpty()
                ? ""
                : StandardCharsets.UTF_8.decode(bytes(number)).toString();
    }

    String hex(int number) {
        if (all(number).isEmpty()) {
            return "";
        }
        ByteBuffer bytes = bytes(number);
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return HexFormat.of().formatHex(copy);
    }

    long number(int number) {
        return all(number).isEmpty() ? 0 : (long) all(number).get(0);
    }

    private ByteBuffer bytes(int number) {
        return ((ByteBuffer) all(number).get(0)).duplicate();
    }

    private List<Object> all(int number) {
        return values.getOrDefault(number, List.of());
    }
}
