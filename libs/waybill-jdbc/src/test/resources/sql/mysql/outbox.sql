-- The outbox on mysql, as GoldenSqlTest recorded it

-- verify
SELECT `event_id` FROM `waybill_outbox` WHERE `status` = 'DEAD' AND 1 = 0 FOR UPDATE SKIP LOCKED;

-- append: two events, with the lease of this process's relay
INSERT INTO `waybill_outbox` (`event_id`, `event_type`, `aggregate_type`, `aggregate_id`, `biz_key`, `schema_version`,
      `occurred_at`, `trace_id`, `headers`, `payload`, `topic`, `tag`, `status`, `attempts`, `due_at`, `claim_token`,
      `created_at`)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'NEW', 0, UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND, ?,
      UTC_TIMESTAMP(3)), (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'NEW', 0, UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND, ?,
      UTC_TIMESTAMP(3));

-- append: an event without optional fields, for whichever relay comes first
INSERT INTO `waybill_outbox` (`event_id`, `event_type`, `aggregate_type`, `aggregate_id`, `biz_key`, `schema_version`,
      `occurred_at`, `trace_id`, `headers`, `payload`, `topic`, `tag`, `status`, `attempts`, `due_at`, `claim_token`,
      `created_at`)
      VALUES (?, ?, NULL, NULL, NULL, ?, ?, NULL, NULL, ?, NULL, NULL, 'NEW', 0, UTC_TIMESTAMP(3),
      '--------------------------------', UTC_TIMESTAMP(3));

-- check: which appended rows have committed
SELECT `event_id` FROM `waybill_outbox` FORCE INDEX (`PRIMARY`) WHERE `event_id` IN (?, ?, ?, ?, ?, ?, ?, ?);

-- claim
SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) AS wb_clock,
      (SELECT COALESCE(TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `due_at`), 0)
      FROM `waybill_outbox` FORCE INDEX (`idx_due`)
   WHERE `status` IN ('NEW', 'RETRY') AND `due_at` <= UTC_TIMESTAMP(3)
   ORDER BY `due_at` LIMIT 1);
SET @waybill_idle = @@wait_timeout, @waybill_unread = @@net_write_timeout, @waybill_unsent = @@net_read_timeout,
      SESSION wait_timeout = 300, SESSION net_write_timeout = 300, SESSION net_read_timeout = 300,
      @@transaction_isolation = 'READ-COMMITTED';
SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) AS wb_clock,
      COALESCE(OCTET_LENGTH(`payload`), 0) AS wb_bytes, `event_id` AS wb_EVENT_ID, `event_type` AS wb_TYPE,
      `aggregate_type` AS wb_AGGREGATE_TYPE, `aggregate_id` AS wb_AGGREGATE_ID, `biz_key` AS wb_BIZ_KEY,
      `schema_version` AS wb_SCHEMA_VERSION, TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00',
      `occurred_at`) AS wb_OCCURRED_AT, `trace_id` AS wb_TRACE_ID, `headers` AS wb_HEADERS, CASE
      WHEN COALESCE(OCTET_LENGTH(`payload`), 0) <= 65536 THEN `payload` END AS wb_PAYLOAD, `topic` AS wb_TOPIC,
      `tag` AS wb_TAG, `attempts` AS wb_ATTEMPTS, TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `due_at`) AS wb_DUE
FROM `waybill_outbox` FORCE INDEX (`idx_due`)
WHERE `status` IN ('NEW', 'RETRY') AND `due_at` <= UTC_TIMESTAMP(3) AND `due_at` >= ?
ORDER BY `due_at`
LIMIT ?
FOR UPDATE SKIP LOCKED;
UPDATE `waybill_outbox` FORCE INDEX (`PRIMARY`)
SET `due_at` = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND, `claim_token` = ?
WHERE `event_id` IN (?, ?, ?, ?, ?, ?, ?, ?);
SET SESSION wait_timeout = @waybill_idle, SESSION net_write_timeout = @waybill_unread,
      SESSION net_read_timeout = @waybill_unsent;

-- claim: without the rows of a topic that is down
SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) AS wb_clock,
      (SELECT COALESCE(TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `due_at`), 0)
      FROM `waybill_outbox` FORCE INDEX (`idx_due`)
   WHERE `status` IN ('NEW', 'RETRY') AND `due_at` <= UTC_TIMESTAMP(3) AND (`topic` IS NULL OR `topic` NOT IN (?))
   ORDER BY `due_at` LIMIT 1);
SET @waybill_idle = @@wait_timeout, @waybill_unread = @@net_write_timeout, @waybill_unsent = @@net_read_timeout,
      SESSION wait_timeout = 300, SESSION net_write_timeout = 300, SESSION net_read_timeout = 300,
      @@transaction_isolation = 'READ-COMMITTED';
SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) AS wb_clock,
      COALESCE(OCTET_LENGTH(`payload`), 0) AS wb_bytes, `event_id` AS wb_EVENT_ID, `event_type` AS wb_TYPE,
      `aggregate_type` AS wb_AGGREGATE_TYPE, `aggregate_id` AS wb_AGGREGATE_ID, `biz_key` AS wb_BIZ_KEY,
      `schema_version` AS wb_SCHEMA_VERSION, TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00',
      `occurred_at`) AS wb_OCCURRED_AT, `trace_id` AS wb_TRACE_ID, `headers` AS wb_HEADERS, CASE
      WHEN COALESCE(OCTET_LENGTH(`payload`), 0) <= 65536 THEN `payload` END AS wb_PAYLOAD, `topic` AS wb_TOPIC,
      `tag` AS wb_TAG, `attempts` AS wb_ATTEMPTS, TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `due_at`) AS wb_DUE
FROM `waybill_outbox` FORCE INDEX (`idx_due`)
WHERE `status` IN ('NEW', 'RETRY') AND `due_at` <= UTC_TIMESTAMP(3) AND `due_at` >= ?
      AND (`topic` IS NULL OR `topic` NOT IN (?))
ORDER BY `due_at`
LIMIT ?
FOR UPDATE SKIP LOCKED;
UPDATE `waybill_outbox` FORCE INDEX (`PRIMARY`)
SET `due_at` = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND, `claim_token` = ?
WHERE `event_id` IN (?, ?, ?, ?, ?, ?, ?, ?);
SET SESSION wait_timeout = @waybill_idle, SESSION net_write_timeout = @waybill_unread,
      SESSION net_read_timeout = @waybill_unsent;

-- claim: the second transaction of a large one
SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) AS wb_clock,
      COALESCE(OCTET_LENGTH(`payload`), 0) AS wb_bytes, `event_id` AS wb_EVENT_ID, `event_type` AS wb_TYPE,
      `aggregate_type` AS wb_AGGREGATE_TYPE, `aggregate_id` AS wb_AGGREGATE_ID, `biz_key` AS wb_BIZ_KEY,
      `schema_version` AS wb_SCHEMA_VERSION, TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00',
      `occurred_at`) AS wb_OCCURRED_AT, `trace_id` AS wb_TRACE_ID, `headers` AS wb_HEADERS, CASE
      WHEN COALESCE(OCTET_LENGTH(`payload`), 0) <= 65536 THEN `payload` END AS wb_PAYLOAD, `topic` AS wb_TOPIC,
      `tag` AS wb_TAG, `attempts` AS wb_ATTEMPTS, TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `due_at`) AS wb_DUE
FROM `waybill_outbox` FORCE INDEX (`idx_due`)
WHERE `status` IN ('NEW', 'RETRY') AND `due_at` <= UTC_TIMESTAMP(3) AND `due_at` >= ?
ORDER BY `due_at`
LIMIT ?
FOR UPDATE SKIP LOCKED;
UPDATE `waybill_outbox` FORCE INDEX (`PRIMARY`)
SET `due_at` = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND, `claim_token` = ?
WHERE `event_id` IN (?);
SET SESSION wait_timeout = @waybill_idle, SESSION net_write_timeout = @waybill_unread,
      SESSION net_read_timeout = @waybill_unsent;

-- claim: whether somebody appends beside it
SELECT COALESCE((SELECT 1 FROM `waybill_outbox` FORCE INDEX (`idx_due`)
      WHERE `status` IN ('NEW', 'RETRY') AND `due_at` <= UTC_TIMESTAMP(3) AND `due_at` >= ? LIMIT 1), 0);

-- renew
SET @waybill_idle = @@wait_timeout, @waybill_unread = @@net_write_timeout, @waybill_unsent = @@net_read_timeout,
      SESSION wait_timeout = 300, SESSION net_write_timeout = 300, SESSION net_read_timeout = 300,
      @@transaction_isolation = 'READ-COMMITTED';
SELECT `event_id` FROM `waybill_outbox` FORCE INDEX (`PRIMARY`)
WHERE `event_id` IN (?, ?, ?, ?, ?, ?, ?, ?) AND `claim_token` = ? AND `status` IN ('NEW', 'RETRY')
FOR UPDATE;
UPDATE `waybill_outbox` FORCE INDEX (`PRIMARY`)
SET `due_at` = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND
WHERE `event_id` IN (?, ?, ?, ?, ?, ?, ?, ?);
SET SESSION wait_timeout = @waybill_idle, SESSION net_write_timeout = @waybill_unread,
      SESSION net_read_timeout = @waybill_unsent;

-- settle: sent
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
UPDATE `waybill_outbox` FORCE INDEX (`PRIMARY`)
SET `status` = 'SENT', `sent_at` = UTC_TIMESTAMP(3), `due_at` = TIMESTAMP '9999-12-31 00:00:00',
      `broker_id` = CASE `event_id` WHEN ? THEN ? WHEN ? THEN ? WHEN ? THEN ? WHEN ? THEN ? WHEN ? THEN ? WHEN ? THEN ?
      WHEN ? THEN ? WHEN ? THEN ? END, `last_error` = NULL, `claim_token` = NULL
WHERE `event_id` IN (?, ?, ?, ?, ?, ?, ?, ?) AND `claim_token` = ? AND `status` IN ('NEW', 'RETRY');

-- settle: sent, without an id of the broker's
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
UPDATE `waybill_outbox` FORCE INDEX (`PRIMARY`)
SET `status` = 'SENT', `sent_at` = UTC_TIMESTAMP(3), `due_at` = TIMESTAMP '9999-12-31 00:00:00', `last_error` = NULL,
      `claim_token` = NULL
WHERE `event_id` IN (?, ?, ?, ?, ?, ?, ?, ?) AND `claim_token` = ? AND `status` IN ('NEW', 'RETRY');

-- settle: retry
SET @waybill_idle = @@wait_timeout, @waybill_unread = @@net_write_timeout, @waybill_unsent = @@net_read_timeout,
      SESSION wait_timeout = 300, SESSION net_write_timeout = 300, SESSION net_read_timeout = 300,
      @@transaction_isolation = 'READ-COMMITTED';
SELECT `event_id` FROM `waybill_outbox` FORCE INDEX (`PRIMARY`)
WHERE `event_id` IN (?, ?, ?, ?, ?, ?, ?, ?) AND `claim_token` = ? AND `status` IN ('NEW', 'RETRY')
FOR UPDATE;
UPDATE `waybill_outbox` FORCE INDEX (`PRIMARY`)
SET `status` = 'RETRY', `attempts` = `attempts` + 1, `due_at` = UTC_TIMESTAMP(3) + INTERVAL (CASE `event_id`
      WHEN ? THEN ? WHEN ? THEN ? WHEN ? THEN ? WHEN ? THEN ? WHEN ? THEN ? WHEN ? THEN ? WHEN ? THEN ?
      WHEN ? THEN ? END) MICROSECOND, `last_error` = CASE `event_id` WHEN ? THEN ? WHEN ? THEN ? WHEN ? THEN ?
      WHEN ? THEN ? WHEN ? THEN ? WHEN ? THEN ? WHEN ? THEN ? WHEN ? THEN ? END, `claim_token` = NULL
WHERE `event_id` IN (?, ?, ?, ?, ?, ?, ?, ?) AND `claim_token` = ? AND `status` IN ('NEW', 'RETRY');
INSERT INTO waybill_attempt (outbox_table, event_id, attempt, error, failed_at, node, took_ms)
VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP(3), ?, ?), (?, ?, ?, ?, CURRENT_TIMESTAMP(3), ?, ?);
SET SESSION wait_timeout = @waybill_idle, SESSION net_write_timeout = @waybill_unread,
      SESSION net_read_timeout = @waybill_unsent;

-- settle: dead
SET @waybill_idle = @@wait_timeout, @waybill_unread = @@net_write_timeout, @waybill_unsent = @@net_read_timeout,
      SESSION wait_timeout = 300, SESSION net_write_timeout = 300, SESSION net_read_timeout = 300,
      @@transaction_isolation = 'READ-COMMITTED';
SELECT `event_id` FROM `waybill_outbox` FORCE INDEX (`PRIMARY`)
WHERE `event_id` IN (?, ?, ?, ?, ?, ?, ?, ?) AND `claim_token` = ? AND `status` IN ('NEW', 'RETRY')
FOR UPDATE;
UPDATE `waybill_outbox` FORCE INDEX (`PRIMARY`)
SET `status` = 'DEAD', `attempts` = `attempts` + 1, `due_at` = TIMESTAMP '9998-12-31 00:00:00',
      `last_error` = CASE `event_id` WHEN ? THEN ? WHEN ? THEN ? WHEN ? THEN ? WHEN ? THEN ? WHEN ? THEN ? WHEN ? THEN ?
      WHEN ? THEN ? WHEN ? THEN ? END, `claim_token` = NULL
WHERE `event_id` IN (?, ?, ?, ?, ?, ?, ?, ?) AND `claim_token` = ? AND `status` IN ('NEW', 'RETRY');
INSERT INTO waybill_attempt (outbox_table, event_id, attempt, error, failed_at, node, took_ms)
VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP(3), ?, ?), (?, ?, ?, ?, CURRENT_TIMESTAMP(3), ?, ?);
SET SESSION wait_timeout = @waybill_idle, SESSION net_write_timeout = @waybill_unread,
      SESSION net_read_timeout = @waybill_unsent;

-- settle: released
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
UPDATE `waybill_outbox` FORCE INDEX (`PRIMARY`)
SET `due_at` = UTC_TIMESTAMP(3) + INTERVAL (CASE `event_id` WHEN ? THEN ? WHEN ? THEN ? WHEN ? THEN ? WHEN ? THEN ?
      WHEN ? THEN ? WHEN ? THEN ? WHEN ? THEN ? WHEN ? THEN ? END) MICROSECOND, `claim_token` = NULL
WHERE `event_id` IN (?, ?, ?, ?, ?, ?, ?, ?) AND `claim_token` = ? AND `status` IN ('NEW', 'RETRY');

-- backlog
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT `status`, COUNT(*), SUM(failed) FROM
    (SELECT `status`, 0 AS failed FROM `waybill_outbox` FORCE INDEX (`idx_due`)
    WHERE `status` IN ('NEW', 'RETRY') AND `due_at` < TIMESTAMP '9998-12-31 00:00:00'
    ORDER BY `due_at` DESC LIMIT ?) counted
GROUP BY `status`;
SELECT COUNT(*) FROM
    (SELECT 1 AS one FROM `waybill_outbox` FORCE INDEX (`idx_due`)
    WHERE `status` = 'DEAD' AND `due_at` = TIMESTAMP '9998-12-31 00:00:00' LIMIT ?) counted;
SELECT COUNT(*) FROM
    (SELECT 1 AS one FROM `waybill_outbox` FORCE INDEX (`idx_due`)
          WHERE `due_at` = TIMESTAMP '9999-12-31 00:00:00' LIMIT ?) counted;
SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `due_at`),
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) FROM `waybill_outbox` FORCE INDEX (`idx_due`)
WHERE `status` IN ('NEW', 'RETRY') AND `due_at` <= UTC_TIMESTAMP(3) ORDER BY `due_at` LIMIT 1;

-- dead
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT `event_id` AS wb_EVENT_ID, `event_type` AS wb_TYPE, `aggregate_type` AS wb_AGGREGATE_TYPE,
      `aggregate_id` AS wb_AGGREGATE_ID, `biz_key` AS wb_BIZ_KEY, `schema_version` AS wb_SCHEMA_VERSION,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `occurred_at`) AS wb_OCCURRED_AT, `trace_id` AS wb_TRACE_ID,
      `headers` AS wb_HEADERS, `payload` AS wb_PAYLOAD, `topic` AS wb_TOPIC, `tag` AS wb_TAG, `attempts` AS wb_ATTEMPTS,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `due_at`) AS wb_DUE, `last_error` AS wb_error
FROM `waybill_outbox` FORCE INDEX (`idx_due`)
WHERE `status` = 'DEAD' AND `due_at` = TIMESTAMP '9998-12-31 00:00:00'
ORDER BY `created_at`, `event_id`
LIMIT ?;

-- dead: without payloads, behind a key
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT `event_id` AS wb_EVENT_ID, `event_type` AS wb_TYPE, `aggregate_type` AS wb_AGGREGATE_TYPE,
      `aggregate_id` AS wb_AGGREGATE_ID, `biz_key` AS wb_BIZ_KEY, `schema_version` AS wb_SCHEMA_VERSION,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `occurred_at`) AS wb_OCCURRED_AT, `trace_id` AS wb_TRACE_ID,
      `headers` AS wb_HEADERS, CASE WHEN `payload` IS NOT NULL THEN '{}' END AS wb_PAYLOAD, `topic` AS wb_TOPIC,
      `tag` AS wb_TAG, `attempts` AS wb_ATTEMPTS, TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `due_at`) AS wb_DUE,
      `last_error` AS wb_error FROM `waybill_outbox` FORCE INDEX (`idx_due`)
WHERE `status` = 'DEAD' AND `due_at` = TIMESTAMP '9998-12-31 00:00:00' AND `event_id` > ?
ORDER BY `event_id`
LIMIT ?;

-- edit
SET @waybill_idle = @@wait_timeout, @waybill_unread = @@net_write_timeout, @waybill_unsent = @@net_read_timeout,
      SESSION wait_timeout = 300, SESSION net_write_timeout = 300, SESSION net_read_timeout = 300,
      @@transaction_isolation = 'READ-COMMITTED';
SELECT `event_id` AS wb_EVENT_ID, `event_type` AS wb_TYPE, `aggregate_type` AS wb_AGGREGATE_TYPE,
      `aggregate_id` AS wb_AGGREGATE_ID, `biz_key` AS wb_BIZ_KEY, `schema_version` AS wb_SCHEMA_VERSION,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `occurred_at`) AS wb_OCCURRED_AT, `trace_id` AS wb_TRACE_ID,
      `headers` AS wb_HEADERS, `payload` AS wb_PAYLOAD, `topic` AS wb_TOPIC, `tag` AS wb_TAG, `attempts` AS wb_ATTEMPTS,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `due_at`) AS wb_DUE, `last_error` AS wb_error
FROM `waybill_outbox` FORCE INDEX (`PRIMARY`)
WHERE `event_id` IN (?) AND `status` = 'DEAD'
FOR UPDATE;
INSERT INTO waybill_audit
    (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP);
UPDATE `waybill_outbox` FORCE INDEX (`PRIMARY`)
SET `payload` = ?, `headers` = ?
WHERE `event_id` IN (?);
SET SESSION wait_timeout = @waybill_idle, SESSION net_write_timeout = @waybill_unread,
      SESSION net_read_timeout = @waybill_unsent;

-- requeue
SET @waybill_idle = @@wait_timeout, @waybill_unread = @@net_write_timeout, @waybill_unsent = @@net_read_timeout,
      SESSION wait_timeout = 300, SESSION net_write_timeout = 300, SESSION net_read_timeout = 300,
      @@transaction_isolation = 'READ-COMMITTED';
SELECT `event_id` AS wb_EVENT_ID, `event_type` AS wb_TYPE, `aggregate_type` AS wb_AGGREGATE_TYPE,
      `aggregate_id` AS wb_AGGREGATE_ID, `biz_key` AS wb_BIZ_KEY, `schema_version` AS wb_SCHEMA_VERSION,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `occurred_at`) AS wb_OCCURRED_AT, `trace_id` AS wb_TRACE_ID,
      `headers` AS wb_HEADERS, `payload` AS wb_PAYLOAD, `topic` AS wb_TOPIC, `tag` AS wb_TAG, `attempts` AS wb_ATTEMPTS,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `due_at`) AS wb_DUE, `last_error` AS wb_error
FROM `waybill_outbox` FORCE INDEX (`PRIMARY`)
WHERE `event_id` IN (?, ?, ?, ?, ?, ?, ?, ?) AND `status` = 'DEAD'
FOR UPDATE;
INSERT INTO waybill_audit
    (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP), (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP);
UPDATE `waybill_outbox` FORCE INDEX (`PRIMARY`)
SET `status` = 'NEW', `attempts` = 0, `due_at` = UTC_TIMESTAMP(3), `last_error` = NULL, `claim_token` = NULL
WHERE `event_id` IN (?, ?, ?, ?, ?, ?, ?, ?);
SET SESSION wait_timeout = @waybill_idle, SESSION net_write_timeout = @waybill_unread,
      SESSION net_read_timeout = @waybill_unsent;

-- discard
SET @waybill_idle = @@wait_timeout, @waybill_unread = @@net_write_timeout, @waybill_unsent = @@net_read_timeout,
      SESSION wait_timeout = 300, SESSION net_write_timeout = 300, SESSION net_read_timeout = 300,
      @@transaction_isolation = 'READ-COMMITTED';
SELECT `event_id` AS wb_EVENT_ID, `event_type` AS wb_TYPE, `aggregate_type` AS wb_AGGREGATE_TYPE,
      `aggregate_id` AS wb_AGGREGATE_ID, `biz_key` AS wb_BIZ_KEY, `schema_version` AS wb_SCHEMA_VERSION,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `occurred_at`) AS wb_OCCURRED_AT, `trace_id` AS wb_TRACE_ID,
      `headers` AS wb_HEADERS, `payload` AS wb_PAYLOAD, `topic` AS wb_TOPIC, `tag` AS wb_TAG, `attempts` AS wb_ATTEMPTS,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `due_at`) AS wb_DUE, `last_error` AS wb_error
FROM `waybill_outbox` FORCE INDEX (`PRIMARY`)
WHERE `event_id` IN (?, ?, ?, ?, ?, ?, ?, ?) AND `status` = 'DEAD'
FOR UPDATE;
INSERT INTO waybill_audit
    (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP), (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP);
DELETE FROM `waybill_outbox` WHERE `event_id` IN (?, ?, ?, ?, ?, ?, ?, ?);
SET SESSION wait_timeout = @waybill_idle, SESSION net_write_timeout = @waybill_unread,
      SESSION net_read_timeout = @waybill_unsent;

-- search: by id
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT `event_id` AS wb_EVENT_ID, `event_type` AS wb_TYPE, `aggregate_type` AS wb_AGGREGATE_TYPE,
      `aggregate_id` AS wb_AGGREGATE_ID, `biz_key` AS wb_BIZ_KEY, `schema_version` AS wb_SCHEMA_VERSION,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `occurred_at`) AS wb_OCCURRED_AT, `trace_id` AS wb_TRACE_ID,
      `headers` AS wb_HEADERS, CASE WHEN `payload` IS NOT NULL THEN '{}' END AS wb_PAYLOAD, `topic` AS wb_TOPIC,
      `tag` AS wb_TAG, `attempts` AS wb_ATTEMPTS, TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `due_at`) AS wb_DUE,
      `status` AS wb_state, TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `created_at`) AS wb_born
FROM `waybill_outbox` FORCE INDEX (`PRIMARY`)
WHERE `event_id` = ?
ORDER BY `event_id` DESC
LIMIT ?;

-- search: by key
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT `event_id` FROM `waybill_outbox` FORCE INDEX (`PRIMARY`)
WHERE 1 = 1
ORDER BY `event_id` DESC
LIMIT 1 OFFSET ?;
SELECT `event_id` AS wb_EVENT_ID, `event_type` AS wb_TYPE, `aggregate_type` AS wb_AGGREGATE_TYPE,
      `aggregate_id` AS wb_AGGREGATE_ID, `biz_key` AS wb_BIZ_KEY, `schema_version` AS wb_SCHEMA_VERSION,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `occurred_at`) AS wb_OCCURRED_AT, `trace_id` AS wb_TRACE_ID,
      `headers` AS wb_HEADERS, CASE WHEN `payload` IS NOT NULL THEN '{}' END AS wb_PAYLOAD, `topic` AS wb_TOPIC,
      `tag` AS wb_TAG, `attempts` AS wb_ATTEMPTS, TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `due_at`) AS wb_DUE,
      `status` AS wb_state, TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `created_at`) AS wb_born
FROM `waybill_outbox` FORCE INDEX (`PRIMARY`)
WHERE `biz_key` = ?
ORDER BY `event_id` DESC
LIMIT ?;

-- search: by state, the second page
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT led.row_key, CASE WHEN led.row_key < ? THEN 1 ELSE 0 END
FROM ((SELECT `event_id` AS row_key FROM `waybill_outbox` FORCE INDEX (`idx_due`)
      WHERE `status` IN ('NEW', 'RETRY') AND `due_at` < TIMESTAMP '9998-12-31 00:00:00' LIMIT 4001)
UNION ALL
(SELECT `event_id` AS row_key FROM `waybill_outbox` FORCE INDEX (`idx_due`)
      WHERE `status` = 'DEAD' AND `due_at` = TIMESTAMP '9998-12-31 00:00:00' LIMIT 4001)) led
ORDER BY led.row_key DESC;
SELECT `event_id` AS wb_EVENT_ID, `event_type` AS wb_TYPE, `aggregate_type` AS wb_AGGREGATE_TYPE,
      `aggregate_id` AS wb_AGGREGATE_ID, `biz_key` AS wb_BIZ_KEY, `schema_version` AS wb_SCHEMA_VERSION,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `occurred_at`) AS wb_OCCURRED_AT, `trace_id` AS wb_TRACE_ID,
      `headers` AS wb_HEADERS, CASE WHEN `payload` IS NOT NULL THEN '{}' END AS wb_PAYLOAD, `topic` AS wb_TOPIC,
      `tag` AS wb_TAG, `attempts` AS wb_ATTEMPTS, TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `due_at`) AS wb_DUE,
      `status` AS wb_state, TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `created_at`) AS wb_born
FROM `waybill_outbox` FORCE INDEX (`PRIMARY`)
WHERE `event_id` IN (?) AND ((`status` IN ('NEW', 'RETRY') AND `attempts` > 0) OR `status` = 'DEAD')
ORDER BY `event_id` DESC
LIMIT ?;

-- search: what no index leads to
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT `event_id` FROM `waybill_outbox` FORCE INDEX (`PRIMARY`) ORDER BY `event_id` LIMIT 1;
SELECT `event_id` FROM `waybill_outbox` FORCE INDEX (`PRIMARY`) ORDER BY `event_id` DESC LIMIT 1;
SELECT `event_id` FROM `waybill_outbox` FORCE INDEX (`PRIMARY`)
WHERE `event_id` < ? AND `event_id` >= ?
ORDER BY `event_id` DESC
LIMIT 1 OFFSET ?;
SELECT `event_id` AS wb_EVENT_ID, `event_type` AS wb_TYPE, `aggregate_type` AS wb_AGGREGATE_TYPE,
      `aggregate_id` AS wb_AGGREGATE_ID, `biz_key` AS wb_BIZ_KEY, `schema_version` AS wb_SCHEMA_VERSION,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `occurred_at`) AS wb_OCCURRED_AT, `trace_id` AS wb_TRACE_ID,
      `headers` AS wb_HEADERS, CASE WHEN `payload` IS NOT NULL THEN '{}' END AS wb_PAYLOAD, `topic` AS wb_TOPIC,
      `tag` AS wb_TAG, `attempts` AS wb_ATTEMPTS, TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `due_at`) AS wb_DUE,
      `status` AS wb_state, TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `created_at`) AS wb_born
FROM `waybill_outbox` FORCE INDEX (`PRIMARY`)
WHERE `event_id` < ? AND `event_id` >= ? AND `topic` = ? AND `created_at` >= ? AND `created_at` < ?
ORDER BY `event_id` DESC
LIMIT ?;

-- find
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT `event_id` AS wb_EVENT_ID, `event_type` AS wb_TYPE, `aggregate_type` AS wb_AGGREGATE_TYPE,
      `aggregate_id` AS wb_AGGREGATE_ID, `biz_key` AS wb_BIZ_KEY, `schema_version` AS wb_SCHEMA_VERSION,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `occurred_at`) AS wb_OCCURRED_AT, `trace_id` AS wb_TRACE_ID,
      `headers` AS wb_HEADERS, `payload` AS wb_PAYLOAD, `topic` AS wb_TOPIC, `tag` AS wb_TAG, `attempts` AS wb_ATTEMPTS,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `due_at`) AS wb_DUE, `status` AS wb_state,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `created_at`) AS wb_born,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `due_at`) AS wb_due_at,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', `sent_at`) AS wb_sent_at,
    `broker_id` AS wb_broker, `last_error` AS wb_error
FROM `waybill_outbox` FORCE INDEX (`PRIMARY`)
WHERE `event_id` = ?;

-- attempts
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT event_id, attempt, error, CAST(UNIX_TIMESTAMP(failed_at) * 1000000 AS SIGNED), node, took_ms FROM waybill_attempt
WHERE event_id = ? AND outbox_table = ?
ORDER BY id DESC
LIMIT ?;

-- attempts: the latest
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT event_id, attempt, error, CAST(UNIX_TIMESTAMP(failed_at) * 1000000 AS SIGNED), node, took_ms FROM waybill_attempt
WHERE outbox_table = ?
ORDER BY id DESC
LIMIT ?;

-- sweep: sent rows
SELECT PARTITION_NAME, PARTITION_DESCRIPTION FROM information_schema.PARTITIONS
WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ?
    AND PARTITION_METHOD = 'RANGE COLUMNS'
ORDER BY PARTITION_ORDINAL_POSITION;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT `event_id`, CASE WHEN `status` IN ('SENT') AND COALESCE(`sent_at`, `created_at`,
      `occurred_at`) <= UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND THEN 1 ELSE 0 END,
    CASE WHEN `created_at` > UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND THEN 1 ELSE 0 END
FROM `waybill_outbox` FORCE INDEX (`PRIMARY`)
ORDER BY `event_id`
LIMIT ?;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
DELETE FROM `waybill_outbox` WHERE `event_id` IN (?) AND `status` IN ('SENT');
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT `event_id`, CASE WHEN `status` IN ('SENT') AND COALESCE(`sent_at`, `created_at`,
      `occurred_at`) <= UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND THEN 1 ELSE 0 END,
    CASE WHEN `created_at` > UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND THEN 1 ELSE 0 END
FROM `waybill_outbox` FORCE INDEX (`PRIMARY`)
WHERE `event_id` > ?
ORDER BY `event_id`
LIMIT ?;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
DELETE FROM `waybill_outbox` WHERE `event_id` IN (?) AND `status` IN ('SENT');

-- sweep: the audit
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT id, event_id FROM waybill_audit
WHERE outbox_table = ? AND id > ? AND decided_at <= CURRENT_TIMESTAMP + INTERVAL ? MICROSECOND
ORDER BY id
LIMIT ?;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
DELETE FROM waybill_audit WHERE id IN (?, ?, ?, ?, ?, ?, ?, ?) AND outbox_table = ?;

-- sweep: DEAD rows, by an age of their own
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT `event_id` FROM `waybill_outbox` FORCE INDEX (`idx_due`)
WHERE `status` = 'DEAD' AND `due_at` = TIMESTAMP '9998-12-31 00:00:00'
      AND COALESCE(`sent_at`, `created_at`, `occurred_at`) <= UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND
ORDER BY `created_at`, `event_id`
LIMIT ?;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
DELETE FROM `waybill_outbox` WHERE `event_id` IN (?, ?, ?, ?, ?, ?, ?, ?) AND `status` = 'DEAD';

-- sweep: sent rows, into an archive
SELECT PARTITION_NAME, PARTITION_DESCRIPTION FROM information_schema.PARTITIONS
WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ?
    AND PARTITION_METHOD = 'RANGE COLUMNS'
ORDER BY PARTITION_ORDINAL_POSITION;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT `event_id`, CASE WHEN `status` IN ('SENT') AND COALESCE(`sent_at`, `created_at`,
      `occurred_at`) <= UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND THEN 1 ELSE 0 END,
    CASE WHEN `created_at` > UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND THEN 1 ELSE 0 END
FROM `waybill_outbox` FORCE INDEX (`PRIMARY`)
ORDER BY `event_id`
LIMIT ?;
SET @waybill_idle = @@wait_timeout, @waybill_unread = @@net_write_timeout, @waybill_unsent = @@net_read_timeout,
      SESSION wait_timeout = 30, SESSION net_write_timeout = 30, SESSION net_read_timeout = 30,
      @@transaction_isolation = 'READ-COMMITTED';
SELECT * FROM `waybill_outbox` FORCE INDEX (`PRIMARY`)
WHERE `event_id` IN (?, ?, ?, ?, ?, ?, ?, ?) AND `status` IN ('SENT') FOR UPDATE SKIP LOCKED;
DELETE FROM `waybill_outbox` WHERE `event_id` IN (?, ?, ?, ?, ?, ?, ?, ?) AND `status` IN ('SENT');
SET SESSION wait_timeout = @waybill_idle, SESSION net_write_timeout = @waybill_unread,
      SESSION net_read_timeout = @waybill_unsent;
