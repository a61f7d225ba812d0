package dev.waybill.memory;

import dev.waybill.memory.JournalRecord.Consumed;
import dev.waybill.memory.JournalRecord.Gone;
import dev.waybill.memory.JournalRecord.Holder;
import dev.waybill.memory.JournalRecord.LastNumber;
import dev.waybill.memory.JournalRecord.Progress;
import dev.waybill.memory.JournalRecord.Put;
import dev.waybill.memory.JournalRecord.Sent;
import dev.waybill.memory.JournalRecord.TopicStart;
import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Records as bytes: a letter for the kind, then its parts in order. Texts carry their length; null has the length -1. */
final class JournalCodec {

    private JournalCodec() {}

    static byte[] encode(List<? extends JournalRecord> records) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            for (JournalRecord record : records) {
                write(record, out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("an array in memory takes every byte", e);
        }
        return bytes.toByteArray();
    }

    static List<JournalRecord> decode(byte[] bytes) throws IOException {
        List<JournalRecord> records = new ArrayList<>();
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        while (in.available() > 0) {
            records.add(read(in));
        }
        return records;
    }

    private static void write(JournalRecord record, DataOutputStream out) throws IOException {
        if (record instanceof LastNumber last) {
            out.writeByte('N');
            out.writeLong(last.number());
        } else if (record instanceof TopicStart start) {
            out.writeByte('T');
            text(start.topic(), out);
            out.writeLong(start.first());
        } else if (record instanceof Sent sent) {
            out.writeByte('S');
            text(sent.topic(), out);
            stored(sent.message(), out);
        } else if (record instanceof Progress progress) {
            out.writeByte('P');
            text(progress.topic(), out);
            text(progress.group(), out);
            out.writeLong(progress.next());
            out.writeInt(progress.open().size());
            for (long open : progress.open()) {
                out.writeLong(open);
            }
        } else if (record instanceof Consumed consumed) {
            out.writeByte('C');
            text(consumed.topic(), out);
            text(consumed.group(), out);
            out.writeLong(consumed.position());
        } else if (record instanceof Put put) {
            out.writeByte('Q');
            holder(put.holder(), out);
            copy(put.copy(), out);
            out.writeBoolean(put.letter());
        } else if (record instanceof Gone gone) {
            out.writeByte('G');
            holder(gone.holder(), out);
            out.writeLong(gone.copy());
        }
    }

    private static JournalRecord read(DataInputStream in) throws IOException {
        int kind = in.readByte();
        return switch (kind) {
            case 'N' -> new LastNumber(in.readLong());
            case 'T' -> new TopicStart(text(in), in.readLong());
            case 'S' -> new Sent(text(in), stored(in));
            case 'P' -> new Progress(text(in), text(in), in.readLong(), places(in));
            case 'C' -> new Consumed(text(in), text(in), in.readLong());
            case 'Q' -> new Put(holder(in), copy(in), in.readBoolean());
            case 'G' -> new Gone(holder(in), in.readLong());
            default -> throw new IOException("a record of the unknown kind " + kind);
        };
    }

    private static List<Long> places(DataInputStream in) throws IOException {
        int count = in.readInt();
        List<Long> places = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            places.add(in.readLong());
        }
        return places;
    }

    private static void holder(Holder holder, DataOutputStream out) throws IOException {
        text(holder.source(), out);
        text(holder.group(), out);
    }

    private static Holder holder(DataInputStream in) throws IOException {
        return new Holder(text(in), textOrNull(in));
    }

    private static void stored(StoredMessage stored, DataOutputStream out) throws IOException {
        text(stored.brokerId(), out);
        time(stored.arrivedAt(), out);
        destination(stored.message().destination(), out);
        event(stored.message().event(), out);
        bytes(stored.message().body(), out);
    }

    private static StoredMessage stored(DataInputStream in) throws IOException {
        String brokerId = text(in);
        Instant arrivedAt = time(in);
        Destination destination = Objects.requireNonNull(destination(in));
        return new StoredMessage(brokerId, arrivedAt, new Message(destination, event(in), bytes(in)));
    }

    private static void event(Event event, DataOutputStream out) throws IOException {
        text(event.eventId(), out);
        text(event.type(), out);
        text(event.aggregateType(), out);
        text(event.aggregateId(), out);
        text(event.bizKey(), out);
        out.writeInt(event.schemaVersion());
        time(event.occurredAt(), out);
        text(event.traceId(), out);
        texts(event.headers(), out);
        text(event.payload(), out);
        destination(event.destination(), out);
    }

    private static Event event(DataInputStream in) throws IOException {
        return new Event(
                text(in),
                text(in),
                textOrNull(in),
                textOrNull(in),
                textOrNull(in),
                in.readInt(),
                time(in),
                textOrNull(in),
                texts(in),
                text(in),
                destination(in));
    }

    private static void copy(QueuedMessage copy, DataOutputStream out) throws IOException {
        out.writeLong(copy.number());
        text(copy.key(), out);
        text(copy.messageId(), out);
        texts(copy.headers(), out);
        bytes(copy.body(), out);
        out.writeInt(copy.attempt());
        time(copy.due(), out);
        text(copy.error(), out);
        text(copy.source(), out);
    }

    private static QueuedMessage copy(DataInputStream in) throws IOException {
        return new QueuedMessage(
                in.readLong(),
                QueuedMessage.NO_POSITION,
                text(in),
                textOrNull(in),
                texts(in),
                bytes(in),
                in.readInt(),
                time(in),
                textOrNull(in),
                textOrNull(in));
    }

    private static void destination(@Nullable Destination destination, DataOutputStream out) throws IOException {
        text(destination == null ? null : destination.topic(), out);
        text(destination == null ? null : destination.tag(), out);
    }

    private static @Nullable Destination destination(DataInputStream in) throws IOException {
        String topic = textOrNull(in);
        String tag = textOrNull(in);
        return topic == null || tag == null ? null : new Destination(topic, tag);
    }

    private static void texts(Map<String, String> texts, DataOutputStream out) throws IOException {
        out.writeInt(texts.size());
        for (Map.Entry<String, String> each : texts.entrySet()) {
            text(each.getKey(), out);
            text(each.getValue(), out);
        }
    }

    private static Map<String, String> texts(DataInputStream in) throws IOException {
        int count = in.readInt();
        Map<String, String> texts = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            texts.put(text(in), text(in));
        }
        return texts;
    }

    private static void time(Instant time, DataOutputStream out) throws IOException {
        out.writeLong(time.getEpochSecond());
        out.writeInt(time.getNano());
    }

    private static Instant time(DataInputStream in) throws IOException {
        return Instant.ofEpochSecond(in.readLong(), in.readInt());
    }

    private static void text(@Nullable String text, DataOutputStream out) throws IOException {
        if (text == null) {
            out.writeInt(-1);
        } else {
            bytes(text.getBytes(StandardCharsets.UTF_8), out);
        }
    }

    private static String text(DataInputStream in) throws IOException {
        String text = textOrNull(in);
        if (text == null) {
            throw new IOException("a text is missing");
        }
        return text;
    }

    private static @Nullable String textOrNull(DataInputStream in) throws IOException {
        int length = in.readInt();
        return length < 0 ? null : new String(exactly(length, in), StandardCharsets.UTF_8);
    }

    private static void bytes(byte[] bytes, DataOutputStream out) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] bytes(DataInputStream in) throws IOException {
        return exactly(in.readInt(), in);
    }

    private static byte[] exactly(int length, DataInputStream in) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new IOException("a record ends too early");
        }
        return bytes;
    }
}
