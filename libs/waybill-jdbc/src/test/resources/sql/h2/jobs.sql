-- The jobs on h2, as GoldenSqlTest recorded it

-- verify
SELECT id, scope, kind, terms, per_second, actor, reason, state, total, done, refused, note, fence,
      CAST(EXTRACT(EPOCH FROM created_at) * 1000000 AS BIGINT) AS created_micros,
      CAST(EXTRACT(EPOCH FROM changed_at) * 1000000 AS BIGINT) AS changed_micros FROM "WAYBILL_JOB"
WHERE scope = ? AND id < ? ORDER BY id DESC LIMIT ?;

-- create
INSERT INTO "WAYBILL_JOB" (scope, kind, terms, per_second, actor, reason, state, total, done, refused, fence,
    lease_until, created_at, changed_at)
VALUES (?, ?, ?, ?, ?, ?, 'RUNNING', ?, 0, 0, 0, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP);
INSERT INTO "WAYBILL_JOB_ITEM" (job_id, item_no, subject, state)
VALUES (?, ?, ?, 'WAITING'), (?, ?, ?, 'WAITING'), (?, ?, ?, 'WAITING');
INSERT INTO "WAYBILL_AUDIT"
    (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP);
SELECT id, scope, kind, terms, per_second, actor, reason, state, total, done, refused, note, fence,
      CAST(EXTRACT(EPOCH FROM created_at) * 1000000 AS BIGINT) AS created_micros,
      CAST(EXTRACT(EPOCH FROM changed_at) * 1000000 AS BIGINT) AS changed_micros FROM "WAYBILL_JOB" WHERE id = ?;

-- release
UPDATE "WAYBILL_JOB" SET lease_until = CURRENT_TIMESTAMP WHERE id = ? AND fence = ? AND state = 'RUNNING';

-- claim
SELECT id, scope, kind, terms, per_second, actor, reason, state, total, done, refused, note, fence,
      CAST(EXTRACT(EPOCH FROM created_at) * 1000000 AS BIGINT) AS created_micros,
      CAST(EXTRACT(EPOCH FROM changed_at) * 1000000 AS BIGINT) AS changed_micros FROM "WAYBILL_JOB"
WHERE state = 'RUNNING' AND lease_until <= CURRENT_TIMESTAMP AND scope = ? AND kind IN (?)
ORDER BY lease_until, id LIMIT 1;
UPDATE "WAYBILL_JOB" SET fence = fence + 1, lease_until = DATEADD(MICROSECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP)
WHERE id = ? AND fence = ? AND state = 'RUNNING';

-- waiting
SELECT item_no, subject FROM "WAYBILL_JOB_ITEM"
WHERE job_id = ? AND state = 'WAITING' AND item_no > ? ORDER BY item_no LIMIT ?;

-- settle
UPDATE "WAYBILL_JOB"
SET done = done + ?, refused = refused + ?, note = ?, lease_until = DATEADD(MICROSECOND, CAST(? AS BIGINT),
      CURRENT_TIMESTAMP), changed_at = CURRENT_TIMESTAMP
WHERE id = ? AND fence = ? AND state = 'RUNNING';
UPDATE "WAYBILL_JOB_ITEM" SET state = 'DONE'
WHERE job_id = ? AND item_no IN (?) AND state = 'WAITING';
UPDATE "WAYBILL_JOB_ITEM" SET state = 'REFUSED', refusal = ?
WHERE job_id = ? AND item_no = ? AND state = 'WAITING';

-- refused
SELECT item_no, subject, refusal FROM "WAYBILL_JOB_ITEM"
WHERE job_id = ? AND state = 'REFUSED' AND item_no > ? ORDER BY item_no LIMIT ?;

-- finish
UPDATE "WAYBILL_JOB" SET state = 'FINISHED', note = NULL, changed_at = CURRENT_TIMESTAMP
WHERE id = ? AND fence = ? AND state = 'RUNNING' AND done + refused = total;

-- cancel
SELECT id, scope, kind, terms, per_second, actor, reason, state, total, done, refused, note, fence,
      CAST(EXTRACT(EPOCH FROM created_at) * 1000000 AS BIGINT) AS created_micros,
      CAST(EXTRACT(EPOCH FROM changed_at) * 1000000 AS BIGINT) AS changed_micros FROM "WAYBILL_JOB" WHERE id = ?;
UPDATE "WAYBILL_JOB" SET state = 'CANCELED', changed_at = CURRENT_TIMESTAMP WHERE id = ? AND state = 'RUNNING';
INSERT INTO "WAYBILL_AUDIT"
    (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP);

-- find
SELECT id, scope, kind, terms, per_second, actor, reason, state, total, done, refused, note, fence,
      CAST(EXTRACT(EPOCH FROM created_at) * 1000000 AS BIGINT) AS created_micros,
      CAST(EXTRACT(EPOCH FROM changed_at) * 1000000 AS BIGINT) AS changed_micros FROM "WAYBILL_JOB" WHERE id = ?;

-- list
SELECT id, scope, kind, terms, per_second, actor, reason, state, total, done, refused, note, fence,
      CAST(EXTRACT(EPOCH FROM created_at) * 1000000 AS BIGINT) AS created_micros,
      CAST(EXTRACT(EPOCH FROM changed_at) * 1000000 AS BIGINT) AS changed_micros FROM "WAYBILL_JOB"
WHERE scope = ? AND id < ? ORDER BY id DESC LIMIT ?;

-- sweep: jobs that ended
SELECT id, total FROM "WAYBILL_JOB"
WHERE state <> 'RUNNING' AND changed_at <= DATEADD(MICROSECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP)
ORDER BY id LIMIT ?;
DELETE FROM "WAYBILL_JOB_ITEM" WHERE job_id = ? AND item_no <= ?;
DELETE FROM "WAYBILL_JOB" WHERE id = ?;

-- sweep: the audit
SELECT id, event_id FROM "WAYBILL_AUDIT"
WHERE outbox_table = ? AND id > ? AND decided_at <= DATEADD(MICROSECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP)
ORDER BY id
LIMIT ?;
DELETE FROM "WAYBILL_AUDIT" WHERE id IN (?, ?, ?, ?, ?, ?, ?, ?) AND outbox_table = ?;
