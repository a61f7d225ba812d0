-- The jobs on mysql, as GoldenSqlTest recorded it

-- verify
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT id, scope, kind, terms, per_second, actor, reason, state, total, done, refused, note, fence,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', created_at) AS created_micros,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', changed_at) AS changed_micros FROM `waybill_job`
WHERE scope = ? AND id < ? ORDER BY id DESC LIMIT ?;

-- create
SET @waybill_idle = @@wait_timeout, @waybill_unread = @@net_write_timeout, @waybill_unsent = @@net_read_timeout,
      SESSION wait_timeout = 30, SESSION net_write_timeout = 30, SESSION net_read_timeout = 30,
      @@transaction_isolation = 'READ-COMMITTED';
INSERT INTO `waybill_job` (scope, kind, terms, per_second, actor, reason, state, total, done, refused, fence,
    lease_until, created_at, changed_at)
VALUES (?, ?, ?, ?, ?, ?, 'RUNNING', ?, 0, 0, 0, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), UTC_TIMESTAMP(3));
INSERT INTO `waybill_job_item` (job_id, item_no, subject, state)
VALUES (?, ?, ?, 'WAITING'), (?, ?, ?, 'WAITING'), (?, ?, ?, 'WAITING');
INSERT INTO `waybill_audit`
    (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP);
SET SESSION wait_timeout = @waybill_idle, SESSION net_write_timeout = @waybill_unread,
      SESSION net_read_timeout = @waybill_unsent;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT id, scope, kind, terms, per_second, actor, reason, state, total, done, refused, note, fence,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', created_at) AS created_micros,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', changed_at) AS changed_micros FROM `waybill_job` WHERE id = ?;

-- release
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
UPDATE `waybill_job` SET lease_until = UTC_TIMESTAMP(3) WHERE id = ? AND fence = ? AND state = 'RUNNING';

-- claim
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT id, scope, kind, terms, per_second, actor, reason, state, total, done, refused, note, fence,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', created_at) AS created_micros,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', changed_at) AS changed_micros FROM `waybill_job`
WHERE state = 'RUNNING' AND lease_until <= UTC_TIMESTAMP(3) AND scope = ? AND kind IN (?)
ORDER BY lease_until, id LIMIT 1;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
UPDATE `waybill_job` SET fence = fence + 1, lease_until = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND
WHERE id = ? AND fence = ? AND state = 'RUNNING';

-- waiting
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT item_no, subject FROM `waybill_job_item`
WHERE job_id = ? AND state = 'WAITING' AND item_no > ? ORDER BY item_no LIMIT ?;

-- settle
SET @waybill_idle = @@wait_timeout, @waybill_unread = @@net_write_timeout, @waybill_unsent = @@net_read_timeout,
      SESSION wait_timeout = 30, SESSION net_write_timeout = 30, SESSION net_read_timeout = 30,
      @@transaction_isolation = 'READ-COMMITTED';
UPDATE `waybill_job`
SET done = done + ?, refused = refused + ?, note = ?, lease_until = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND,
      changed_at = UTC_TIMESTAMP(3)
WHERE id = ? AND fence = ? AND state = 'RUNNING';
UPDATE `waybill_job_item` SET state = 'DONE'
WHERE job_id = ? AND item_no IN (?) AND state = 'WAITING';
UPDATE `waybill_job_item` SET state = 'REFUSED', refusal = ?
WHERE job_id = ? AND item_no = ? AND state = 'WAITING';
SET SESSION wait_timeout = @waybill_idle, SESSION net_write_timeout = @waybill_unread,
      SESSION net_read_timeout = @waybill_unsent;

-- refused
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT item_no, subject, refusal FROM `waybill_job_item`
WHERE job_id = ? AND state = 'REFUSED' AND item_no > ? ORDER BY item_no LIMIT ?;

-- finish
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
UPDATE `waybill_job` SET state = 'FINISHED', note = NULL, changed_at = UTC_TIMESTAMP(3)
WHERE id = ? AND fence = ? AND state = 'RUNNING' AND done + refused = total;

-- cancel
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT id, scope, kind, terms, per_second, actor, reason, state, total, done, refused, note, fence,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', created_at) AS created_micros,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', changed_at) AS changed_micros FROM `waybill_job` WHERE id = ?;
SET @waybill_idle = @@wait_timeout, @waybill_unread = @@net_write_timeout, @waybill_unsent = @@net_read_timeout,
      SESSION wait_timeout = 30, SESSION net_write_timeout = 30, SESSION net_read_timeout = 30,
      @@transaction_isolation = 'READ-COMMITTED';
UPDATE `waybill_job` SET state = 'CANCELED', changed_at = UTC_TIMESTAMP(3) WHERE id = ? AND state = 'RUNNING';
INSERT INTO `waybill_audit`
    (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP);
SET SESSION wait_timeout = @waybill_idle, SESSION net_write_timeout = @waybill_unread,
      SESSION net_read_timeout = @waybill_unsent;

-- find
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT id, scope, kind, terms, per_second, actor, reason, state, total, done, refused, note, fence,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', created_at) AS created_micros,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', changed_at) AS changed_micros FROM `waybill_job` WHERE id = ?;

-- list
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT id, scope, kind, terms, per_second, actor, reason, state, total, done, refused, note, fence,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', created_at) AS created_micros,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', changed_at) AS changed_micros FROM `waybill_job`
WHERE scope = ? AND id < ? ORDER BY id DESC LIMIT ?;

-- sweep: jobs that ended
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT id, total FROM `waybill_job`
WHERE state <> 'RUNNING' AND changed_at <= UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND ORDER BY id LIMIT ?;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
DELETE FROM `waybill_job_item` WHERE job_id = ? AND item_no <= ?;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
DELETE FROM `waybill_job` WHERE id = ?;

-- sweep: the audit
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT id, event_id FROM `waybill_audit`
WHERE outbox_table = ? AND id > ? AND decided_at <= CURRENT_TIMESTAMP + INTERVAL ? MICROSECOND
ORDER BY id
LIMIT ?;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
DELETE FROM `waybill_audit` WHERE id IN (?, ?, ?, ?, ?, ?, ?, ?) AND outbox_table = ?;
