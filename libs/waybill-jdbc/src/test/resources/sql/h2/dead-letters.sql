-- The dead letters on h2, as GoldenSqlTest recorded it

-- verify
SELECT COUNT(*) FROM "WAYBILL_DEAD_LETTER" WHERE 1 = 1;

-- save
SELECT MAX(replays) FROM "WAYBILL_DEAD_LETTER"
WHERE event_id = ? AND source = ? AND consumer_group = ?;
INSERT INTO "WAYBILL_DEAD_LETTER" (source, consumer_group, letter_key, message_id, event_id, event_type, headers, body,
    error, state, replays, dead_at, changed_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?,
    ?, 'OPEN', ?, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP);

-- save: a message that is no event
INSERT INTO "WAYBILL_DEAD_LETTER" (source, consumer_group, letter_key, message_id, event_id, event_type, headers, body,
    error, state, replays, dead_at, changed_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?,
    ?, 'OPEN', ?, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP);

-- list
SELECT id, source, consumer_group, letter_key, message_id, headers, body, error, event_id, event_type, state,
      CAST(EXTRACT(EPOCH FROM dead_at) * 1000000 AS BIGINT) AS dead_micros,
      CAST(EXTRACT(EPOCH FROM changed_at) * 1000000 AS BIGINT) AS changed_micros, replays FROM "WAYBILL_DEAD_LETTER"
WHERE id > ? AND 1 = 1 ORDER BY id LIMIT ?;

-- list: with every filter
SELECT id, source, consumer_group, letter_key, message_id, headers, body, error, event_id, event_type, state,
      CAST(EXTRACT(EPOCH FROM dead_at) * 1000000 AS BIGINT) AS dead_micros,
      CAST(EXTRACT(EPOCH FROM changed_at) * 1000000 AS BIGINT) AS changed_micros, replays FROM "WAYBILL_DEAD_LETTER"
WHERE id > ? AND source = ? AND consumer_group = ? AND event_type = ? AND state = ? AND LOWER(error) LIKE ? ESCAPE '!'
      AND dead_at >= CAST(? AS TIMESTAMP(6) WITH TIME ZONE) AND dead_at < CAST(? AS TIMESTAMP(6) WITH TIME ZONE)
ORDER BY id LIMIT ?;

-- list: without headers and bodies
SELECT id, source, consumer_group, event_id, event_type, error, state,
      CAST(EXTRACT(EPOCH FROM dead_at) * 1000000 AS BIGINT) AS dead_micros, replays FROM "WAYBILL_DEAD_LETTER"
WHERE id > ? AND 1 = 1 ORDER BY id LIMIT ?;

-- count
SELECT COUNT(*) FROM "WAYBILL_DEAD_LETTER" WHERE 1 = 1;

-- find
SELECT id, source, consumer_group, letter_key, message_id, headers, body, error, event_id, event_type, state,
      CAST(EXTRACT(EPOCH FROM dead_at) * 1000000 AS BIGINT) AS dead_micros,
      CAST(EXTRACT(EPOCH FROM changed_at) * 1000000 AS BIGINT) AS changed_micros, replays FROM "WAYBILL_DEAD_LETTER"
WHERE id = ?;

-- edit
SELECT id, source, consumer_group, letter_key, message_id, headers, body, error, event_id, event_type, state,
      CAST(EXTRACT(EPOCH FROM dead_at) * 1000000 AS BIGINT) AS dead_micros,
      CAST(EXTRACT(EPOCH FROM changed_at) * 1000000 AS BIGINT) AS changed_micros, replays FROM "WAYBILL_DEAD_LETTER"
WHERE id IN (?) AND state = 'OPEN'
ORDER BY id
FOR UPDATE;
INSERT INTO "WAYBILL_AUDIT"
    (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at, letter_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP, ?);
UPDATE "WAYBILL_DEAD_LETTER" SET body = ?, changed_at = CURRENT_TIMESTAMP WHERE id = ?;

-- begin replay
SELECT id, source, consumer_group, letter_key, message_id, headers, body, error, event_id, event_type, state,
      CAST(EXTRACT(EPOCH FROM dead_at) * 1000000 AS BIGINT) AS dead_micros,
      CAST(EXTRACT(EPOCH FROM changed_at) * 1000000 AS BIGINT) AS changed_micros, replays FROM "WAYBILL_DEAD_LETTER"
WHERE id IN (?, ?, ?, ?, ?, ?, ?, ?) AND state = 'OPEN'
ORDER BY id
FOR UPDATE;
INSERT INTO "WAYBILL_AUDIT"
    (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at, letter_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP, ?), (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP, ?);
UPDATE "WAYBILL_DEAD_LETTER" SET state = ?, changed_at = CURRENT_TIMESTAMP WHERE id IN (?, ?, ?, ?, ?, ?, ?, ?);

-- take over: replays that a dead process began
SELECT id, source, consumer_group, letter_key, message_id, headers, body, error, event_id, event_type, state,
      CAST(EXTRACT(EPOCH FROM dead_at) * 1000000 AS BIGINT) AS dead_micros,
      CAST(EXTRACT(EPOCH FROM changed_at) * 1000000 AS BIGINT) AS changed_micros, replays FROM "WAYBILL_DEAD_LETTER"
WHERE state = 'REPLAYING' AND changed_at <= DATEADD(MICROSECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP)
ORDER BY changed_at, id
LIMIT ?
FOR UPDATE SKIP LOCKED;
UPDATE "WAYBILL_DEAD_LETTER" SET state = ?, changed_at = CURRENT_TIMESTAMP WHERE id IN (?, ?, ?, ?, ?, ?, ?, ?);

-- replayed
UPDATE "WAYBILL_DEAD_LETTER"
SET state = 'REPLAYED', replays = replays + 1, changed_at = CURRENT_TIMESTAMP
WHERE id = ? AND state = 'REPLAYING';

-- put back
UPDATE "WAYBILL_DEAD_LETTER" SET state = 'OPEN', changed_at = CURRENT_TIMESTAMP WHERE id = ? AND state = 'REPLAYING';

-- replay failed
UPDATE "WAYBILL_DEAD_LETTER"
SET state = 'OPEN', error = ?, changed_at = CURRENT_TIMESTAMP
WHERE id = ? AND state = 'REPLAYING';

-- discard
SELECT id, source, consumer_group, letter_key, message_id, headers, body, error, event_id, event_type, state,
      CAST(EXTRACT(EPOCH FROM dead_at) * 1000000 AS BIGINT) AS dead_micros,
      CAST(EXTRACT(EPOCH FROM changed_at) * 1000000 AS BIGINT) AS changed_micros, replays FROM "WAYBILL_DEAD_LETTER"
WHERE id IN (?) AND state = 'OPEN'
ORDER BY id
FOR UPDATE;
INSERT INTO "WAYBILL_AUDIT"
    (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at, letter_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP, ?);
UPDATE "WAYBILL_DEAD_LETTER" SET state = ?, changed_at = CURRENT_TIMESTAMP WHERE id IN (?);

-- sweep: letters that are settled
SELECT id, event_id FROM "WAYBILL_DEAD_LETTER"
WHERE state = ? AND id > ? AND changed_at <= DATEADD(MICROSECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP)
ORDER BY id
LIMIT ?;
DELETE FROM "WAYBILL_DEAD_LETTER" WHERE id IN (?) AND state = ?;
SELECT id, event_id FROM "WAYBILL_DEAD_LETTER"
WHERE state = ? AND id > ? AND changed_at <= DATEADD(MICROSECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP)
ORDER BY id
LIMIT ?;
DELETE FROM "WAYBILL_DEAD_LETTER" WHERE id IN (?) AND state = ?;

-- sweep: the audit
SELECT id, event_id FROM "WAYBILL_AUDIT"
WHERE outbox_table = ? AND id > ? AND decided_at <= DATEADD(MICROSECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP)
ORDER BY id
LIMIT ?;
DELETE FROM "WAYBILL_AUDIT" WHERE id IN (?, ?, ?, ?, ?, ?, ?, ?) AND outbox_table = ?;
