-- The dead letters on postgresql, as GoldenSqlTest recorded it

-- verify
SELECT COUNT(*) FROM "waybill_dead_letter" WHERE 1 = 1;

-- save
SELECT MAX(replays) FROM "waybill_dead_letter"
WHERE event_id = ? AND source = ? AND consumer_group = ?;
INSERT INTO "waybill_dead_letter" (source, consumer_group, letter_key, message_id, event_id, event_type, headers, body,
    error, state, replays, dead_at, changed_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?,
    ?, 'OPEN', ?, statement_timestamp(), statement_timestamp()) ON CONFLICT DO NOTHING;

-- save: a message that is no event
INSERT INTO "waybill_dead_letter" (source, consumer_group, letter_key, message_id, event_id, event_type, headers, body,
    error, state, replays, dead_at, changed_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?,
    ?, 'OPEN', ?, statement_timestamp(), statement_timestamp()) ON CONFLICT DO NOTHING;

-- list
SELECT id, source, consumer_group, letter_key, message_id, headers, body, error, event_id, event_type, state,
      CAST(EXTRACT(EPOCH FROM CAST(dead_at AS timestamptz)) * 1000000 AS bigint) AS dead_micros,
      CAST(EXTRACT(EPOCH FROM CAST(changed_at AS timestamptz)) * 1000000 AS bigint) AS changed_micros, replays
FROM "waybill_dead_letter" WHERE id > ? AND 1 = 1 ORDER BY id LIMIT ?;

-- list: with every filter
SELECT id, source, consumer_group, letter_key, message_id, headers, body, error, event_id, event_type, state,
      CAST(EXTRACT(EPOCH FROM CAST(dead_at AS timestamptz)) * 1000000 AS bigint) AS dead_micros,
      CAST(EXTRACT(EPOCH FROM CAST(changed_at AS timestamptz)) * 1000000 AS bigint) AS changed_micros, replays
FROM "waybill_dead_letter"
WHERE id > ? AND source = ? AND consumer_group = ? AND event_type = ? AND state = ? AND LOWER(error) LIKE ? ESCAPE '!'
      AND dead_at >= CAST(? AS timestamptz) AND dead_at < CAST(? AS timestamptz) ORDER BY id LIMIT ?;

-- list: without headers and bodies
SELECT id, source, consumer_group, event_id, event_type, error, state,
      CAST(EXTRACT(EPOCH FROM CAST(dead_at AS timestamptz)) * 1000000 AS bigint) AS dead_micros, replays
FROM "waybill_dead_letter" WHERE id > ? AND 1 = 1 ORDER BY id LIMIT ?;

-- count
SELECT COUNT(*) FROM "waybill_dead_letter" WHERE 1 = 1;

-- find
SELECT id, source, consumer_group, letter_key, message_id, headers, body, error, event_id, event_type, state,
      CAST(EXTRACT(EPOCH FROM CAST(dead_at AS timestamptz)) * 1000000 AS bigint) AS dead_micros,
      CAST(EXTRACT(EPOCH FROM CAST(changed_at AS timestamptz)) * 1000000 AS bigint) AS changed_micros, replays
FROM "waybill_dead_letter" WHERE id = ?;

-- edit
SET LOCAL idle_in_transaction_session_timeout = 30000;
SELECT id, source, consumer_group, letter_key, message_id, headers, body, error, event_id, event_type, state,
      CAST(EXTRACT(EPOCH FROM CAST(dead_at AS timestamptz)) * 1000000 AS bigint) AS dead_micros,
      CAST(EXTRACT(EPOCH FROM CAST(changed_at AS timestamptz)) * 1000000 AS bigint) AS changed_micros, replays
FROM "waybill_dead_letter"
WHERE id IN (?) AND state = 'OPEN'
ORDER BY id
FOR UPDATE;
INSERT INTO "waybill_audit"
    (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at, letter_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP, ?);
UPDATE "waybill_dead_letter" SET body = ?, changed_at = statement_timestamp() WHERE id = ?;

-- begin replay
SET LOCAL idle_in_transaction_session_timeout = 30000;
SELECT id, source, consumer_group, letter_key, message_id, headers, body, error, event_id, event_type, state,
      CAST(EXTRACT(EPOCH FROM CAST(dead_at AS timestamptz)) * 1000000 AS bigint) AS dead_micros,
      CAST(EXTRACT(EPOCH FROM CAST(changed_at AS timestamptz)) * 1000000 AS bigint) AS changed_micros, replays
FROM "waybill_dead_letter"
WHERE id IN (?, ?, ?, ?, ?, ?, ?, ?) AND state = 'OPEN'
ORDER BY id
FOR UPDATE;
INSERT INTO "waybill_audit"
    (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at, letter_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP, ?), (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP, ?);
UPDATE "waybill_dead_letter" SET state = ?, changed_at = statement_timestamp() WHERE id IN (?, ?, ?, ?, ?, ?, ?, ?);

-- take over: replays that a dead process began
SET LOCAL idle_in_transaction_session_timeout = 30000;
SELECT id, source, consumer_group, letter_key, message_id, headers, body, error, event_id, event_type, state,
      CAST(EXTRACT(EPOCH FROM CAST(dead_at AS timestamptz)) * 1000000 AS bigint) AS dead_micros,
      CAST(EXTRACT(EPOCH FROM CAST(changed_at AS timestamptz)) * 1000000 AS bigint) AS changed_micros, replays
FROM "waybill_dead_letter"
WHERE state = 'REPLAYING' AND changed_at <= statement_timestamp() + CAST(? AS bigint) * INTERVAL '1 microsecond'
ORDER BY changed_at, id
LIMIT ?
FOR UPDATE SKIP LOCKED;
UPDATE "waybill_dead_letter" SET state = ?, changed_at = statement_timestamp() WHERE id IN (?, ?, ?, ?, ?, ?, ?, ?);

-- replayed
UPDATE "waybill_dead_letter"
SET state = 'REPLAYED', replays = replays + 1, changed_at = statement_timestamp()
WHERE id = ? AND state = 'REPLAYING';

-- put back
UPDATE "waybill_dead_letter" SET state = 'OPEN', changed_at = statement_timestamp() WHERE id = ? AND state = 'REPLAYING';

-- replay failed
UPDATE "waybill_dead_letter"
SET state = 'OPEN', error = ?, changed_at = statement_timestamp()
WHERE id = ? AND state = 'REPLAYING';

-- discard
SET LOCAL idle_in_transaction_session_timeout = 30000;
SELECT id, source, consumer_group, letter_key, message_id, headers, body, error, event_id, event_type, state,
      CAST(EXTRACT(EPOCH FROM CAST(dead_at AS timestamptz)) * 1000000 AS bigint) AS dead_micros,
      CAST(EXTRACT(EPOCH FROM CAST(changed_at AS timestamptz)) * 1000000 AS bigint) AS changed_micros, replays
FROM "waybill_dead_letter"
WHERE id IN (?) AND state = 'OPEN'
ORDER BY id
FOR UPDATE;
INSERT INTO "waybill_audit"
    (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at, letter_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP, ?);
UPDATE "waybill_dead_letter" SET state = ?, changed_at = statement_timestamp() WHERE id IN (?);

-- sweep: letters that are settled
SELECT id, event_id FROM "waybill_dead_letter"
WHERE state = ? AND id > ? AND changed_at <= statement_timestamp() + CAST(? AS bigint) * INTERVAL '1 microsecond'
ORDER BY id
LIMIT ?;
DELETE FROM "waybill_dead_letter" WHERE id IN (?) AND state = ?;
SELECT id, event_id FROM "waybill_dead_letter"
WHERE state = ? AND id > ? AND changed_at <= statement_timestamp() + CAST(? AS bigint) * INTERVAL '1 microsecond'
ORDER BY id
LIMIT ?;
DELETE FROM "waybill_dead_letter" WHERE id IN (?) AND state = ?;

-- sweep: the audit
SELECT id, event_id FROM "waybill_audit"
WHERE outbox_table = ? AND id > ? AND decided_at <= CURRENT_TIMESTAMP + CAST(? AS bigint) * INTERVAL '1 microsecond'
ORDER BY id
LIMIT ?;
DELETE FROM "waybill_audit" WHERE id IN (?, ?, ?, ?, ?, ?, ?, ?) AND outbox_table = ?;
