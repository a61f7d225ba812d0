-- The log of failed sends (layouts without a column for errors) on postgresql, as GoldenSqlTest recorded it

-- settle: retry or dead
INSERT INTO waybill_attempt (outbox_table, event_id, attempt, error, failed_at, node, took_ms)
VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP(3), ?, CAST(? AS bigint));

-- dead
SELECT event_id, error FROM waybill_attempt
WHERE outbox_table = ? AND event_id IN (?)
ORDER BY id;

-- sweep
SELECT id, event_id FROM waybill_attempt
WHERE outbox_table = ? AND id > ? AND failed_at <= CURRENT_TIMESTAMP + CAST(? AS bigint) * INTERVAL '1 microsecond'
ORDER BY id
LIMIT ?;
SELECT "event_id" FROM "t_outbox_event" WHERE "event_id" IN (?) AND "status" NOT IN ('SENT');
DELETE FROM waybill_attempt WHERE id IN (?) AND outbox_table = ?;
