package dev.waybill.starter.admin;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a message as JSON can carry them: as text where they are UTF-8 without control characters other than those of written text,
 * else in base64, so that what is edited is never something else than what was there.
 */
record BodyText(Encoding encoding, String content) {

    /** How bytes are written. */
    enum Encoding {
        TEXT,
        BASE64
    }

    static BodyText of(byte[] bytes) {
        String text = textOf(bytes);
        return text == null
                ? new BodyText(Encoding.BASE64, Base64.getEncoder().encodeToString(bytes))
                : new BodyText(Encoding.TEXT, text);
    }

    /** @throws AdminRefusal when it is no base64, though it says so */
    byte[] bytes() {
        if (encoding == Encoding.TEXT) {
            return content.getBytes(StandardCharsets.UTF_8);
        }
        try {
            return Base64.getDecoder().decode(content);
        } catch (IllegalArgumentException e) {
            throw AdminRefusal.badInput("body", "is no base64");
        }
    }

    private static @Nullable String textOf(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.chars().allMatch(BodyText::isWritten) ? text : null;
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static boolean isWritten(int character) {
        return character >= ' ' || character == '\n' || character == '\r' || character == '\t';
    }
}
