package dev.waybill.rocketmq;

import dev.waybill.transport.Delivery;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apache.rocketmq.common.message.MessageConst;

/**
 * What a dead letter is called: what stays the same if a crash dead-lettered a message twice, which is the sender's unique id, how
 * often it was delivered and how often it was replayed.
 */
final class DeadLetterKey {

    /** Every table's column has room for it, and for the numbers behind it. */
    private static final int LONGEST_ID = 128;

    private DeadLetterKey() {}

    static String of(Delivery letter) {
        String id = letter.headers()
                .getOrDefault(MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX, String.valueOf(letter.messageId()));
        return fitting(id) + "-" + letter.attempt() + "-" + RocketMqProperties.replays(letter.headers());
    }

    /** An id, or what stands for one that is too long or not readable. */
    static String fitting(String id) {
        return fits(id) ? id : digest(id);
    }

    /** A client's own ids do; but a sender may write what it likes. */
    private static boolean fits(String id) {
        return id.length() <= LONGEST_ID && id.chars().allMatch(c -> c > ' ' && c < 127);
    }

    private static String digest(String id) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
