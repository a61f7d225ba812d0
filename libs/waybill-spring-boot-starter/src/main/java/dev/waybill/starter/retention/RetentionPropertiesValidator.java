package dev.waybill.starter.retention;

import dev.waybill.jdbc.archive.ArchiveException;
import dev.waybill.jdbc.archive.FileArchive;
import dev.waybill.starter.InboxProperties;
import dev.waybill.starter.RetentionProperties;
import dev.waybill.starter.StartUpException;
import dev.waybill.starter.WaybillProperties;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/** Refuses ages that would break a guarantee, naming the property. */
final class RetentionPropertiesValidator {

    private static final Duration LEAST = Duration.ofHours(1);

    /** A person who was away for a week still finds what died meanwhile. */
    private static final Duration LEAST_DEAD = Duration.ofDays(7);

    private RetentionPropertiesValidator() {}

    static void check(RetentionProperties retention, InboxProperties inbox) {
        Map.of(
                        "sent", retention.sent(),
                        "attempts", retention.attempts(),
                        "failed", retention.failed(),
                        "letters", retention.letters(),
                        "audit", retention.audit())
                .forEach((name, age) -> require(
                        age.compareTo(LEAST) >= 0, name, age, "what is younger than an hour may still be looked at"));
        require(
                retention.sent().compareTo(inbox.retention()) <= 0,
                "sent",
                retention.sent(),
                "waybill.inbox.retention=" + inbox.retention()
                        + " is shorter, and an event that is sent again after the inbox forgot it would be handled again");
        Duration dead = retention.dead();
        require(
                dead == null || dead.compareTo(LEAST_DEAD) >= 0,
                "dead",
                String.valueOf(dead),
                "an event that is DEAD waits for a person for 7 days at least");
        require(
                !retention.interval().isNegative() && !retention.interval().isZero(),
                "interval",
                retention.interval(),
                "it is longer than zero");
    }

    /** A row of a partition stays until the last one of its partition may go, and two periods more beside one that waits. */
    static void checkPartitions(WaybillProperties properties) {
        Duration period = properties.outbox().partitions();
        Duration sent = properties.retention().sent();
        if (period != null) {
            require(
                    sent.plus(period.multipliedBy(2))
                                    .compareTo(properties.inbox().retention())
                            <= 0,
                    "sent",
                    sent,
                    "with waybill.outbox.partitions=" + period
                            + " rows stay up to two periods longer, and waybill.inbox.retention="
                            + properties.inbox().retention() + " is shorter than that");
        }
    }

    static FileArchive archive(RetentionProperties.Archive archive) {
        Path folder = Objects.requireNonNull(archive.folder());
        long size = archive.maxFileSize().toBytes();
        require(size >= 1, "archive.max-file-size", archive.maxFileSize(), "it is at least 1 byte");
        try {
            return new FileArchive(folder, size, Clock.systemUTC());
        } catch (ArchiveException e) {
            throw new StartUpException(
                    "waybill.retention.archive.folder",
                    e.getMessage() + ".",
                    "Make it writable for this process, or change waybill.retention.archive.folder.",
                    e);
        }
    }

    private static void require(boolean holds, String name, Object value, String rule) {
        if (!holds) {
            String property = "waybill.retention." + name;
            throw new StartUpException(
                    property,
                    property + "=" + value + " cannot be used: " + rule + ".",
                    "Change " + property + ".",
                    null);
        }
    }
}
