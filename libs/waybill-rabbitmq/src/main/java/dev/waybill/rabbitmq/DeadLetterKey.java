package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What a dead letter is called. AMQP gives a message no identity, so it is made of facts that it carries: equal
 * whenever the same letter is collected, and also when a crash published one dead letter twice; different for another sending of
 * the same event, and after a replay.
 */
final class DeadLetterKey {

    private DeadLetterKey() {}

    static String of(String source, BasicProperties letter, byte[] body) {
        MessageDigest digest = sha256();
        add(digest, source);
        add(digest, letter.getMessageId());
        add(digest, header(letter, RabbitMqMessageMapper.STAMP));
        add(digest, header(letter, RepublishHeaders.REPLAY));
        if (header(letter, RepublishHeaders.SOURCE) != null) {
            add(digest, header(letter, RepublishHeaders.ATTEMPT));
            add(digest, header(letter, RepublishHeaders.LETTER));
        } else { // the broker dead-lettered it itself, once, and noted when
            add(digest, RepublishHeaders.lastDeath(letter, "reason"));
            add(digest, RepublishHeaders.lastDeath(letter, "count"));
            add(digest, RepublishHeaders.lastDeath(letter, "time"));
        }
        digest.update(body);
        return HexFormat.of().formatHex(digest.digest(), 0, 16);
    }

    private static @Nullable Object header(BasicProperties letter, String name) {
        return RepublishHeaders.headers(letter).get(name);
    }

    private static void add(MessageDigest digest, @Nullable Object fact) {
        digest.update(String.valueOf(fact).getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
