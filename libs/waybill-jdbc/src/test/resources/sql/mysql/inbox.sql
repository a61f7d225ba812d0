-- The inbox on mysql, as GoldenSqlTest recorded it

-- verify
INSERT INTO `waybill_inbox` (`event_id`, `consumer_group`, `event_type`, `trace_id`, `created_at`, `status`)
SELECT `event_id`, `consumer_group`, `event_type`, `trace_id`, `created_at`, `status` FROM `waybill_inbox` WHERE 1 = 0;
UPDATE `waybill_inbox` SET `event_id` = `event_id` WHERE 1 = 0;
DELETE FROM `waybill_inbox` WHERE 1 = 0;

-- admit: a new event
SET @waybill_wait = @@innodb_lock_wait_timeout, SESSION innodb_lock_wait_timeout = 1;
INSERT INTO `waybill_inbox` (`event_id`, `consumer_group`, `event_type`, `trace_id`, `created_at`, `status`, `attempts`)
VALUES (?, ?, ?, ?, UTC_TIMESTAMP(3), 'PROCESSING', 0);
SET SESSION innodb_lock_wait_timeout = @waybill_wait;

-- settle: success
UPDATE `waybill_inbox`
SET `status` = 'SUCCESS', `cost_ms` = ?, `last_error` = NULL, `done_at` = UTC_TIMESTAMP(3)
WHERE `event_id` = ? AND `consumer_group` = ? AND `status` = 'PROCESSING';

-- admit: an event that is done
SET @waybill_wait = @@innodb_lock_wait_timeout, SESSION innodb_lock_wait_timeout = 1;
INSERT INTO `waybill_inbox` (`event_id`, `consumer_group`, `event_type`, `trace_id`, `created_at`, `status`, `attempts`)
VALUES (?, ?, ?, ?, UTC_TIMESTAMP(3), 'PROCESSING', 0);
SELECT `event_id`, `consumer_group`, CASE WHEN `status` IN ('SUCCESS', 'IGNORED') THEN 1 ELSE 0 END, `attempts`
FROM `waybill_inbox` WHERE `event_id` = ? AND `consumer_group` = ? LOCK IN SHARE MODE;
SET SESSION innodb_lock_wait_timeout = @waybill_wait;

-- fail: for the first time
SET @waybill_idle = @@wait_timeout, @waybill_unread = @@net_write_timeout, @waybill_unsent = @@net_read_timeout,
      SESSION wait_timeout = 30, SESSION net_write_timeout = 30, SESSION net_read_timeout = 30,
      @@transaction_isolation = 'READ-COMMITTED';
SET @waybill_wait = @@innodb_lock_wait_timeout, SESSION innodb_lock_wait_timeout = 1;
UPDATE `waybill_inbox`
SET `status` = 'FAILED', `attempts` = `attempts` + 1, `last_error` = ?
WHERE `event_id` = ? AND `consumer_group` = ? AND `status` NOT IN ('SUCCESS', 'IGNORED');
INSERT INTO `waybill_inbox` (`event_id`, `consumer_group`, `event_type`, `trace_id`, `created_at`, `status`, `attempts`,
      `last_error`)
VALUES (?, ?, ?, ?, UTC_TIMESTAMP(3), 'FAILED', 1, ?);
SET SESSION innodb_lock_wait_timeout = @waybill_wait;
SET SESSION wait_timeout = @waybill_idle, SESSION net_write_timeout = @waybill_unread,
      SESSION net_read_timeout = @waybill_unsent;

-- fail: again
SET @waybill_idle = @@wait_timeout, @waybill_unread = @@net_write_timeout, @waybill_unsent = @@net_read_timeout,
      SESSION wait_timeout = 30, SESSION net_write_timeout = 30, SESSION net_read_timeout = 30,
      @@transaction_isolation = 'READ-COMMITTED';
SET @waybill_wait = @@innodb_lock_wait_timeout, SESSION innodb_lock_wait_timeout = 1;
UPDATE `waybill_inbox`
SET `status` = 'FAILED', `attempts` = `attempts` + 1, `last_error` = ?
WHERE `event_id` = ? AND `consumer_group` = ? AND `status` NOT IN ('SUCCESS', 'IGNORED');
SET SESSION innodb_lock_wait_timeout = @waybill_wait;
SET SESSION wait_timeout = @waybill_idle, SESSION net_write_timeout = @waybill_unread,
      SESSION net_read_timeout = @waybill_unsent;

-- last error
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT `last_error` FROM `waybill_inbox`
WHERE `event_id` = ? AND `consumer_group` = ? AND `status` NOT IN ('SUCCESS', 'IGNORED') AND `last_error` IS NOT NULL;

-- admit: an event that failed before
SET @waybill_wait = @@innodb_lock_wait_timeout, SESSION innodb_lock_wait_timeout = 1;
INSERT INTO `waybill_inbox` (`event_id`, `consumer_group`, `event_type`, `trace_id`, `created_at`, `status`, `attempts`)
VALUES (?, ?, ?, ?, UTC_TIMESTAMP(3), 'PROCESSING', 0);
SELECT `event_id`, `consumer_group`, CASE WHEN `status` IN ('SUCCESS', 'IGNORED') THEN 1 ELSE 0 END, `attempts`
FROM `waybill_inbox` WHERE `event_id` = ? AND `consumer_group` = ? LOCK IN SHARE MODE;
UPDATE `waybill_inbox`
SET `status` = 'PROCESSING'
WHERE `event_id` = ? AND `consumer_group` = ?;
SET SESSION innodb_lock_wait_timeout = @waybill_wait;

-- settle: ignored
UPDATE `waybill_inbox`
SET `status` = 'IGNORED', `cost_ms` = ?, `last_error` = ?, `done_at` = UTC_TIMESTAMP(3)
WHERE `event_id` = ? AND `consumer_group` = ? AND `status` = 'PROCESSING';

-- sweep: events that failed
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT `event_id`, `consumer_group` FROM `waybill_inbox`
WHERE `created_at` <= UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND AND `status` NOT IN ('SUCCESS', 'IGNORED')
      AND `done_at` IS NULL
LIMIT ?;
SET @waybill_idle = @@wait_timeout, @waybill_unread = @@net_write_timeout, @waybill_unsent = @@net_read_timeout,
      SESSION wait_timeout = 30, SESSION net_write_timeout = 30, SESSION net_read_timeout = 30,
      @@transaction_isolation = 'READ-COMMITTED';
SELECT `event_id`, `consumer_group` FROM `waybill_inbox`
WHERE ((`event_id` = ? AND `consumer_group` = ?)) AND `created_at` <= UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND
      AND `status` NOT IN ('SUCCESS', 'IGNORED')
FOR UPDATE SKIP LOCKED;
DELETE FROM `waybill_inbox` WHERE ((`event_id` = ? AND `consumer_group` = ?));
SET SESSION wait_timeout = @waybill_idle, SESSION net_write_timeout = @waybill_unread,
      SESSION net_read_timeout = @waybill_unsent;

-- sweep
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT `event_id`, `consumer_group` FROM `waybill_inbox`
WHERE `done_at` <= UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND AND `status` IN ('SUCCESS', 'IGNORED')
LIMIT ?;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
DELETE FROM `waybill_inbox`
WHERE ((`event_id` = ? AND `consumer_group` = ?) OR (`event_id` = ? AND `consumer_group` = ?))
      AND `status` IN ('SUCCESS', 'IGNORED');
