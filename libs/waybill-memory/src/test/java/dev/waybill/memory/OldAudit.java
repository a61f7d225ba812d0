package dev.waybill.memory;

import java.time.Duration;
import java.util.List;

/** Moves the times of the audit's records a day into the past. */
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
}
