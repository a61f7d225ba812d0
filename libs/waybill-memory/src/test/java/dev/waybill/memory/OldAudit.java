package dev.waybill.memory;

import dev.waybill.store.FailedAttempt;
import java.time.Duration;
import java.util.List;

/** Moves the times of the audit's records, or of failed sends, a day into the past. */
final class OldAudit {

    private OldAudit() {}

    static void makeOld(MemoryDatabase database) {
        List<MemoryAuditRecord> records = database.audit.readAll();
        database.audit.clear();
        records.forEach(record -> database.audit.put(
                database.nextId(),
                new MemoryAuditRecord(
                        record.action(),
                        record.decision(),
                        record.letterId(),
                        record.eventId(),
                        record.content(),
                        record.at().minus(Duration.ofDays(1)))));
    }

    static void makeAttemptsOld(MemoryDatabase database) {
        List<FailedAttempt> attempts = database.attempts.readAll();
        database.attempts.clear();
        attempts.forEach(attempt -> database.attempts.put(
                database.nextId(),
                new FailedAttempt(
                        attempt.eventId(),
                        attempt.attempt(),
                        attempt.error(),
                        attempt.failedAt().minus(Duration.ofDays(1)),
                        attempt.node(),
                        attempt.took())));
    }
}
