package dev.waybill.starter;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long rows stay that nobody waits for any more. What waits to be sent, is DEAD, or is an open dead letter stays however
 * old it is. How long handled events are remembered is said by {@code waybill.inbox.retention}.
 *
 * @param enabled Whether this process deletes old rows. Switched off, another process or a job of yours has to.
 * @param sent Age at which outbox rows are deleted that were sent or discarded. Never longer than the inbox remembers.
 * @param attempts Age at which the errors of failed sends are deleted, where they are stored apart from the rows.
 * @param failed Age at which inbox rows of events are deleted that failed and were never handled.
 * @param letters Age at which dead letters are deleted that were replayed or discarded, and jobs that have ended.
 * @param audit Age at which the records of what people did are deleted.
 * @param interval Pause between two rounds of deletion.
 */
public record RetentionProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("7d") Duration sent,
        @DefaultValue("30d") Duration attempts,
        @DefaultValue("30d") Duration failed,
        @DefaultValue("30d") Duration letters,
        @DefaultValue("365d") Duration audit,
        @DefaultValue("1h") Duration interval) {}
