-- The jobs on postgresql, as GoldenSqlTest recorded it

-- verify
SELECT id, scope, kind, terms, per_second, actor, reason, state, total, done, refused, note, fence,
      CAST(EXTRACT(EPOCH FROM CAST(created_at AS timestamptz)) * 1000000 AS bigint) AS created_micros,
      CAST(EXTRACT(EPOCH FROM CAST(changed_at AS timestamptz)) * 1000000 AS bigint) AS changed_micros FROM "waybill_job"
WHERE scope = ? AND id < ? ORDER BY id DESC LIMIT ?;

-- create
SET LOCAL idle_in_transaction_session_timeout = 30000;
INSERT INTO "waybill_job" (scope, kind, terms, per_second, actor, reason, state, total, done, refused, fence,
    lease_until, created_at, changed_at)
VALUES (?, ?, ?, ?, ?, ?, 'RUNNING', ?, 0, 0, 0, statement_timestamp(), statement_timestamp(), statement_timestamp());
INSERT INTO "waybill_job_item" (job_id, item_no, subject, state)
VALUES (?, ?, ?, 'WAITING'), (?, ?, ?, 'WAITING'), (?, ?, ?, 'WAITING');
INSERT INTO "waybill_audit"
    (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP);
SELECT id, scope, kind, terms, per_second, actor, reason, state, total, done, refused, note, fence,
      CAST(EXTRACT(EPOCH FROM CAST(created_at AS timestamptz)) * 1000000 AS bigint) AS created_micros,
      CAST(EXTRACT(EPOCH FROM CAST(changed_at AS timestamptz)) * 1000000 AS bigint) AS changed_micros FROM "waybill_job"
WHERE id = ?;

-- release
UPDATE "waybill_job" SET lease_until = statement_timestamp() WHERE id = ? AND fence = ? AND state = 'RUNNING';

-- claim
SELECT id, scope, kind, terms, per_second, actor, reason, state, total, done, refused, note, fence,
      CAST(EXTRACT(EPOCH FROM CAST(created_at AS timestamptz)) * 1000000 AS bigint) AS created_micros,
      CAST(EXTRACT(EPOCH FROM CAST(changed_at AS timestamptz)) * 1000000 AS bigint) AS changed_micros FROM "waybill_job"
WHERE state = 'RUNNING' AND lease_until <= statement_timestamp() AND scope = ? AND kind IN (?)
ORDER BY lease_until, id LIMIT 1;
UPDATE "waybill_job" SET fence = fence + 1, lease_until = statement_timestamp() + CAST(? AS bigint) * INTERVAL '1
      microsecond'
WHERE id = ? AND fence = ? AND state = 'RUNNING';

-- waiting
SELECT item_no, subject FROM "waybill_job_item"
WHERE job_id = ? AND state = 'WAITING' AND item_no > ? ORDER BY item_no LIMIT ?;

-- settle
SET LOCAL idle_in_transaction_session_timeout = 30000;
UPDATE "waybill_job"
SET done = done + ?, refused = refused + ?, note = ?, lease_until = statement_timestamp() + CAST(? AS bigint) * INTERVAL
      '1 microsecond', changed_at = statement_timestamp()
WHERE id = ? AND fence = ? AND state = 'RUNNING';
UPDATE "waybill_job_item" SET state = 'DONE'
WHERE job_id = ? AND item_no IN (?) AND state = 'WAITING';
UPDATE "waybill_job_item" SET state = 'REFUSED', refusal = ?
WHERE job_id = ? AND item_no = ? AND state = 'WAITING';

-- refused
SELECT item_no, subject, refusal FROM "waybill_job_item"
WHERE job_id = ? AND state = 'REFUSED' AND item_no > ? ORDER BY item_no LIMIT ?;

-- finish
UPDATE "waybill_job" SET state = 'FINISHED', note = NULL, changed_at = statement_timestamp()
WHERE id = ? AND fence = ? AND state = 'RUNNING' AND done + refused = total;

-- cancel
SELECT id, scope, kind, terms, per_second, actor, reason, state, total, done, refused, note, fence,
      CAST(EXTRACT(EPOCH FROM CAST(created_at AS timestamptz)) * 1000000 AS bigint) AS created_micros,
      CAST(EXTRACT(EPOCH FROM CAST(changed_at AS timestamptz)) * 1000000 AS bigint) AS changed_micros FROM "waybill_job"
WHERE id = ?;
SET LOCAL idle_in_transaction_session_timeout = 30000;
UPDATE "waybill_job" SET state = 'CANCELED', changed_at = statement_timestamp() WHERE id = ? AND state = 'RUNNING';
INSERT INTO "waybill_audit"
    (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP);

-- find
SELECT id, scope, kind, terms, per_second, actor, reason, state, total, done, refused, note, fence,
      CAST(EXTRACT(EPOCH FROM CAST(created_at AS timestamptz)) * 1000000 AS bigint) AS created_micros,
      CAST(EXTRACT(EPOCH FROM CAST(changed_at AS timestamptz)) * 1000000 AS bigint) AS changed_micros FROM "waybill_job"
WHERE id = ?;

-- list
SELECT id, scope, kind, terms, per_second, actor, reason, state, total, done, refused, note, fence,
      CAST(EXTRACT(EPOCH FROM CAST(created_at AS timestamptz)) * 1000000 AS bigint) AS created_micros,
      CAST(EXTRACT(EPOCH FROM CAST(changed_at AS timestamptz)) * 1000000 AS bigint) AS changed_micros FROM "waybill_job"
WHERE scope = ? AND id < ? ORDER BY id DESC LIMIT ?;

-- sweep: jobs that ended
SELECT id, total FROM "waybill_job"
WHERE state <> 'RUNNING' AND changed_at <= statement_timestamp() + CAST(? AS bigint) * INTERVAL '1 microsecond'
ORDER BY id LIMIT ?;
DELETE FROM "waybill_job_item" WHERE job_id = ? AND item_no <= ?;
DELETE FROM "waybill_job" WHERE id = ?;

-- sweep: the audit
SELECT id, event_id FROM "waybill_audit"
WHERE outbox_table = ? AND id > ? AND decided_at <= CURRENT_TIMESTAMP + CAST(? AS bigint) * INTERVAL '1 microsecond'
ORDER BY id
LIMIT ?;
DELETE FROM "waybill_audit" WHERE id IN (?, ?, ?, ?, ?, ?, ?, ?) AND outbox_table = ?;
