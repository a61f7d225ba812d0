-- The log of failed sends (layouts without a column for errors) on h2, as GoldenSqlTest recorded it

-- settle: retry or dead
INSERT INTO waybill_attempt (outbox_table, event_id, attempt, error, failed_at, node, took_ms)
VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP(3), ?, ?);

-- dead
SELECT event_id, error FROM waybill_attempt
WHERE outbox_table = ? AND event_id IN (?)
ORDER BY id;

-- sweep
SELECT id, event_id FROM waybill_attempt
WHERE outbox_table = ? AND id > ? AND failed_at <= DATEADD(MICROSECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP)
ORDER BY id
LIMIT ?;
SELECT "EVENT_ID" FROM "T_OUTBOX_EVENT" WHERE "EVENT_ID" IN (?) AND "STATUS" NOT IN ('SENT');
DELETE FROM waybill_attempt WHERE id IN (?) AND outbox_table = ?;
