-- The dead letters on mariadb, as GoldenSqlTest recorded it

-- verify
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT COUNT(*) FROM `waybill_dead_letter` WHERE 1 = 1;

-- save
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT MAX(replays) FROM `waybill_dead_letter`
WHERE event_id = ? AND source = ? AND consumer_group = ?;
INSERT INTO `waybill_dead_letter` (source, consumer_group, letter_key, message_id, event_id, event_type, headers, body,
    error, state, replays, dead_at, changed_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?,
    ?, 'OPEN', ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3));

-- save: a message that is no event
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
INSERT INTO `waybill_dead_letter` (source, consumer_group, letter_key, message_id, event_id, event_type, headers, body,
    error, state, replays, dead_at, changed_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?,
    ?, 'OPEN', ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3));

-- list
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT id, source, consumer_group, letter_key, message_id, headers, body, error, event_id, event_type, state,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', dead_at) AS dead_micros,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', changed_at) AS changed_micros, replays
FROM `waybill_dead_letter` WHERE id > ? AND 1 = 1 ORDER BY id LIMIT ?;

-- list: with every filter
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT id, source, consumer_group, letter_key, message_id, headers, body, error, event_id, event_type, state,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', dead_at) AS dead_micros,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', changed_at) AS changed_micros, replays
FROM `waybill_dead_letter`
WHERE id > ? AND source = ? AND consumer_group = ? AND event_type = ? AND state = ? AND LOWER(error) LIKE ? ESCAPE '!'
      AND dead_at >= ? AND dead_at < ? ORDER BY id LIMIT ?;

-- list: without headers and bodies
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT id, source, consumer_group, event_id, event_type, error, state,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', dead_at) AS dead_micros, replays FROM `waybill_dead_letter`
WHERE id > ? AND 1 = 1 ORDER BY id LIMIT ?;

-- count
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT COUNT(*) FROM `waybill_dead_letter` WHERE 1 = 1;

-- find
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT id, source, consumer_group, letter_key, message_id, headers, body, error, event_id, event_type, state,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', dead_at) AS dead_micros,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', changed_at) AS changed_micros, replays
FROM `waybill_dead_letter` WHERE id = ?;

-- edit
SET @waybill_idle = @@wait_timeout, @waybill_unread = @@net_write_timeout, @waybill_unsent = @@net_read_timeout,
      SESSION wait_timeout = 30, SESSION net_write_timeout = 30, SESSION net_read_timeout = 30,
      @@tx_isolation = 'READ-COMMITTED';
SELECT id, source, consumer_group, letter_key, message_id, headers, body, error, event_id, event_type, state,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', dead_at) AS dead_micros,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', changed_at) AS changed_micros, replays
FROM `waybill_dead_letter`
WHERE id IN (?) AND state = 'OPEN'
ORDER BY id
FOR UPDATE;
INSERT INTO `waybill_audit`
    (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at, letter_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP, ?);
UPDATE `waybill_dead_letter` SET body = ?, changed_at = UTC_TIMESTAMP(3) WHERE id = ?;
SET SESSION wait_timeout = @waybill_idle, SESSION net_write_timeout = @waybill_unread,
      SESSION net_read_timeout = @waybill_unsent;

-- begin replay
SET @waybill_idle = @@wait_timeout, @waybill_unread = @@net_write_timeout, @waybill_unsent = @@net_read_timeout,
      SESSION wait_timeout = 30, SESSION net_write_timeout = 30, SESSION net_read_timeout = 30,
      @@tx_isolation = 'READ-COMMITTED';
SELECT id, source, consumer_group, letter_key, message_id, headers, body, error, event_id, event_type, state,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', dead_at) AS dead_micros,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', changed_at) AS changed_micros, replays
FROM `waybill_dead_letter`
WHERE id IN (?, ?, ?, ?, ?, ?, ?, ?) AND state = 'OPEN'
ORDER BY id
FOR UPDATE;
INSERT INTO `waybill_audit`
    (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at, letter_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP, ?), (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP, ?);
UPDATE `waybill_dead_letter` SET state = ?, changed_at = UTC_TIMESTAMP(3) WHERE id IN (?, ?, ?, ?, ?, ?, ?, ?);
SET SESSION wait_timeout = @waybill_idle, SESSION net_write_timeout = @waybill_unread,
      SESSION net_read_timeout = @waybill_unsent;

-- take over: replays that a dead process began
SET @waybill_idle = @@wait_timeout, @waybill_unread = @@net_write_timeout, @waybill_unsent = @@net_read_timeout,
      SESSION wait_timeout = 30, SESSION net_write_timeout = 30, SESSION net_read_timeout = 30,
      @@tx_isolation = 'READ-COMMITTED';
SELECT id, source, consumer_group, letter_key, message_id, headers, body, error, event_id, event_type, state,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', dead_at) AS dead_micros,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', changed_at) AS changed_micros, replays
FROM `waybill_dead_letter`
WHERE state = 'REPLAYING' AND changed_at <= UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND
ORDER BY changed_at, id
LIMIT ?
FOR UPDATE SKIP LOCKED;
UPDATE `waybill_dead_letter` SET state = ?, changed_at = UTC_TIMESTAMP(3) WHERE id IN (?, ?, ?, ?, ?, ?, ?, ?);
SET SESSION wait_timeout = @waybill_idle, SESSION net_write_timeout = @waybill_unread,
      SESSION net_read_timeout = @waybill_unsent;

-- replayed
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
UPDATE `waybill_dead_letter`
SET state = 'REPLAYED', replays = replays + 1, changed_at = UTC_TIMESTAMP(3)
WHERE id = ? AND state = 'REPLAYING';

-- put back
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
UPDATE `waybill_dead_letter` SET state = 'OPEN', changed_at = UTC_TIMESTAMP(3) WHERE id = ? AND state = 'REPLAYING';

-- replay failed
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
UPDATE `waybill_dead_letter`
SET state = 'OPEN', error = ?, changed_at = UTC_TIMESTAMP(3)
WHERE id = ? AND state = 'REPLAYING';

-- discard
SET @waybill_idle = @@wait_timeout, @waybill_unread = @@net_write_timeout, @waybill_unsent = @@net_read_timeout,
      SESSION wait_timeout = 30, SESSION net_write_timeout = 30, SESSION net_read_timeout = 30,
      @@tx_isolation = 'READ-COMMITTED';
SELECT id, source, consumer_group, letter_key, message_id, headers, body, error, event_id, event_type, state,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', dead_at) AS dead_micros,
      TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', changed_at) AS changed_micros, replays
FROM `waybill_dead_letter`
WHERE id IN (?) AND state = 'OPEN'
ORDER BY id
FOR UPDATE;
INSERT INTO `waybill_audit`
    (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at, letter_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP, ?);
UPDATE `waybill_dead_letter` SET state = ?, changed_at = UTC_TIMESTAMP(3) WHERE id IN (?);
SET SESSION wait_timeout = @waybill_idle, SESSION net_write_timeout = @waybill_unread,
      SESSION net_read_timeout = @waybill_unsent;

-- sweep: letters that are settled
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT id, event_id FROM `waybill_dead_letter`
WHERE state = ? AND id > ? AND changed_at <= UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND
ORDER BY id
LIMIT ?;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
DELETE FROM `waybill_dead_letter` WHERE id IN (?) AND state = ?;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT id, event_id FROM `waybill_dead_letter`
WHERE state = ? AND id > ? AND changed_at <= UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND
ORDER BY id
LIMIT ?;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
DELETE FROM `waybill_dead_letter` WHERE id IN (?) AND state = ?;

-- sweep: the audit
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT id, event_id FROM `waybill_audit`
WHERE outbox_table = ? AND id > ? AND decided_at <= CURRENT_TIMESTAMP + INTERVAL ? MICROSECOND
ORDER BY id
LIMIT ?;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
DELETE FROM `waybill_audit` WHERE id IN (?, ?, ?, ?, ?, ?, ?, ?) AND outbox_table = ?;
