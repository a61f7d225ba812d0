-- The log of failed sends (layouts without a column for errors) on mysql, as GoldenSqlTest recorded it

-- settle: retry or dead
INSERT INTO waybill_attempt (outbox_table, event_id, attempt, error, failed_at) VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP);

-- dead
SELECT event_id, error FROM waybill_attempt
WHERE outbox_table = ? AND event_id IN (?)
ORDER BY id;
