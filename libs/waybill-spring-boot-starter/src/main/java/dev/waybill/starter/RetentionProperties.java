package dev.waybill.starter;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How long rows stay that nobody waits for any more. What waits to be sent, or is an open dead letter, stays however old it is,
 * and so does what is DEAD unless an age says otherwise. How long handled events are remembered is said by
 * {@code waybill.inbox.retention}.
 *
 * @param enabled Whether this process deletes old rows. Switched off, another process or a job of yours has to.
 * @param sent Age at which outbox rows are deleted that were sent or discarded. Never longer than the inbox remembers.
 * @param dead Age at which DEAD outbox rows are deleted, at least 7d. By default they wait for a person, however long.
 * @param attempts Age at which the errors of failed sends are deleted, where they are stored apart from the rows.
 * @param failed Age at which inbox rows of events are deleted that failed and were never handled.
 * @param letters Age at which dead letters are deleted that were replayed or discarded, and jobs that have ended.
 * @param audit Age at which the records of what people did are deleted.
 * @param interval Pause between two rounds of deletion.
 * @param archive Where rows go before they are deleted.
 */
public record RetentionProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("7d") Duration sent,
        @Nullable Duration dead,
        @DefaultValue("30d") Duration attempts,
        @DefaultValue("30d") Duration failed,
        @DefaultValue("30d") Duration letters,
        @DefaultValue("365d") Duration audit,
        @DefaultValue("1h") Duration interval,
        @DefaultValue Archive archive) {

    /**
     * Compressed files of JSON lines.
     *
     * @param folder Folder into which rows are written before they are deleted, so that they can be restored; none by default.
     *     Several processes can share it. Nothing in it is ever deleted.
     * @param maxFileSize Size after which another file is begun; one is also begun each day.
     */
    public record Archive(
            @Nullable Path folder, @DefaultValue("64MB") DataSize maxFileSize) {}
}
