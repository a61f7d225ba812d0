-- The outbox on postgresql, as GoldenSqlTest recorded it

-- verify
SELECT n.nspname || '.' || c.relname FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass(?);
SELECT "event_id" FROM "waybill_outbox" WHERE "status" = 'DEAD' AND 1 = 0 FOR UPDATE SKIP LOCKED;

-- append: two events, with the lease of this process's relay
INSERT INTO "waybill_outbox" ("event_id", "event_type", "aggregate_type", "aggregate_id", "biz_key", "schema_version",
      "occurred_at", "trace_id", "headers", "payload", "topic", "tag", "status", "attempts", "due_at", "claim_token",
      "created_at")
      VALUES (?, ?, ?, ?, ?, ?, CAST(? AS timestamptz), ?, ?, ?, ?, ?, 'NEW', 0,
      clock_timestamp() + CAST(? AS bigint) * INTERVAL '1 microsecond', ?, clock_timestamp()),
      (?, ?, ?, ?, ?, ?, CAST(? AS timestamptz), ?, ?, ?, ?, ?, 'NEW', 0,
      clock_timestamp() + CAST(? AS bigint) * INTERVAL '1 microsecond', ?, clock_timestamp());

-- append: an event without optional fields, for whichever relay comes first
INSERT INTO "waybill_outbox" ("event_id", "event_type", "aggregate_type", "aggregate_id", "biz_key", "schema_version",
      "occurred_at", "trace_id", "headers", "payload", "topic", "tag", "status", "attempts", "due_at", "claim_token",
      "created_at")
      VALUES (?, ?, NULL, NULL, NULL, ?, CAST(? AS timestamptz), NULL, NULL, ?, NULL, NULL, 'NEW', 0, clock_timestamp(),
      NULL, clock_timestamp()) RETURNING pg_notify('waybill.public.waybill_outbox', '');

-- check: which appended rows have committed
SELECT "event_id" FROM "waybill_outbox" WHERE "event_id" = ANY(CAST((SELECT CAST(? AS text[])) AS text[]));

-- claim
WITH walk0 AS MATERIALIZED (
    SELECT "event_id" AS k, CAST(EXTRACT(EPOCH FROM CAST("due_at" AS timestamptz)) * 1000000 AS bigint) AS due_micros,
          0 AS walk, COALESCE(OCTET_LENGTH("payload"), 0) AS bytes
    FROM "waybill_outbox"
    WHERE "status" IN ('NEW', 'RETRY') AND "due_at" <= statement_timestamp()
    ORDER BY "due_at"
    LIMIT CAST(? AS bigint)
    FOR UPDATE SKIP LOCKED),
sized AS (
    SELECT k, due_micros, walk, bytes, SUM(bytes) OVER (ORDER BY walk, due_micros, k) AS bytes_to_here,
        CAST(EXTRACT(EPOCH FROM clock_timestamp() - statement_timestamp()) * 1000000 AS bigint) AS walk_micros
    FROM walk0),
found AS (
    SELECT k, due_micros, walk, bytes, walk_micros FROM sized
    WHERE bytes_to_here <= ? OR bytes_to_here = bytes),
taken AS (
    UPDATE "waybill_outbox"
    SET "due_at" = statement_timestamp() + CAST(? AS bigint) * INTERVAL '1 microsecond', "claim_token" = ?
    WHERE "event_id" = ANY(ARRAY(SELECT k FROM found))
    RETURNING "event_id" AS k, "event_id" AS wb_EVENT_ID, "event_type" AS wb_TYPE,
          "aggregate_type" AS wb_AGGREGATE_TYPE, "aggregate_id" AS wb_AGGREGATE_ID, "biz_key" AS wb_BIZ_KEY,
          "schema_version" AS wb_SCHEMA_VERSION, CAST(EXTRACT(EPOCH FROM CAST("occurred_at" AS timestamptz)) * 1000000
          AS bigint) AS wb_OCCURRED_AT, "trace_id" AS wb_TRACE_ID, "headers" AS wb_HEADERS, "payload" AS wb_PAYLOAD,
          "topic" AS wb_TOPIC, "tag" AS wb_TAG, "attempts" AS wb_ATTEMPTS,
          CAST(EXTRACT(EPOCH FROM CAST("due_at" AS timestamptz)) * 1000000 AS bigint) AS wb_DUE)
SELECT CAST(EXTRACT(EPOCH FROM CAST(statement_timestamp() AS timestamptz)) * 1000000 AS bigint) AS wb_asked,
      (SELECT CAST(EXTRACT(EPOCH FROM CAST(clock_timestamp() AS timestamptz)) * 1000000 AS bigint)
      FROM set_config('tcp_user_timeout', ?, true)) AS wb_clock,
    COALESCE(found.walk_micros, CAST(EXTRACT(EPOCH FROM clock_timestamp() - statement_timestamp()) * 1000000 AS bigint))
          AS walk_micros,
    (SELECT COUNT(*) FROM sized) AS walked, found.due_micros, found.walk, found.bytes, taken.*
FROM (SELECT 1) AS always LEFT JOIN (taken JOIN found ON taken.k = found.k) ON TRUE;

-- claim: without the rows of a topic that is down
WITH walk0 AS MATERIALIZED (
    SELECT "event_id" AS k, CAST(EXTRACT(EPOCH FROM CAST("due_at" AS timestamptz)) * 1000000 AS bigint) AS due_micros,
          0 AS walk, COALESCE(OCTET_LENGTH("payload"), 0) AS bytes
    FROM "waybill_outbox"
    WHERE "status" IN ('NEW', 'RETRY') AND "due_at" <= statement_timestamp() AND ("topic" IS NULL OR "topic" NOT IN (?))
    ORDER BY "due_at"
    LIMIT CAST(? AS bigint)
    FOR UPDATE SKIP LOCKED),
sized AS (
    SELECT k, due_micros, walk, bytes, SUM(bytes) OVER (ORDER BY walk, due_micros, k) AS bytes_to_here,
        CAST(EXTRACT(EPOCH FROM clock_timestamp() - statement_timestamp()) * 1000000 AS bigint) AS walk_micros
    FROM walk0),
found AS (
    SELECT k, due_micros, walk, bytes, walk_micros FROM sized
    WHERE bytes_to_here <= ? OR bytes_to_here = bytes),
taken AS (
    UPDATE "waybill_outbox"
    SET "due_at" = statement_timestamp() + CAST(? AS bigint) * INTERVAL '1 microsecond', "claim_token" = ?
    WHERE "event_id" = ANY(ARRAY(SELECT k FROM found))
    RETURNING "event_id" AS k, "event_id" AS wb_EVENT_ID, "event_type" AS wb_TYPE,
          "aggregate_type" AS wb_AGGREGATE_TYPE, "aggregate_id" AS wb_AGGREGATE_ID, "biz_key" AS wb_BIZ_KEY,
          "schema_version" AS wb_SCHEMA_VERSION, CAST(EXTRACT(EPOCH FROM CAST("occurred_at" AS timestamptz)) * 1000000
          AS bigint) AS wb_OCCURRED_AT, "trace_id" AS wb_TRACE_ID, "headers" AS wb_HEADERS, "payload" AS wb_PAYLOAD,
          "topic" AS wb_TOPIC, "tag" AS wb_TAG, "attempts" AS wb_ATTEMPTS,
          CAST(EXTRACT(EPOCH FROM CAST("due_at" AS timestamptz)) * 1000000 AS bigint) AS wb_DUE)
SELECT CAST(EXTRACT(EPOCH FROM CAST(statement_timestamp() AS timestamptz)) * 1000000 AS bigint) AS wb_asked,
      (SELECT CAST(EXTRACT(EPOCH FROM CAST(clock_timestamp() AS timestamptz)) * 1000000 AS bigint)
      FROM set_config('tcp_user_timeout', ?, true)) AS wb_clock,
    COALESCE(found.walk_micros, CAST(EXTRACT(EPOCH FROM clock_timestamp() - statement_timestamp()) * 1000000 AS bigint))
          AS walk_micros,
    (SELECT COUNT(*) FROM sized) AS walked, found.due_micros, found.walk, found.bytes, taken.*
FROM (SELECT 1) AS always LEFT JOIN (taken JOIN found ON taken.k = found.k) ON TRUE;

-- renew
SET LOCAL idle_in_transaction_session_timeout = 300000;
SELECT "event_id" FROM "waybill_outbox"
WHERE "event_id" = ANY(CAST((SELECT CAST(? AS text[])) AS text[])) AND "claim_token" = ? AND CASE
      WHEN "status" IN ('NEW', 'RETRY') THEN TRUE ELSE FALSE END
FOR UPDATE;
UPDATE "waybill_outbox"
SET "due_at" = statement_timestamp() + CAST(? AS bigint) * INTERVAL '1 microsecond'
WHERE "event_id" = ANY(CAST((SELECT CAST(? AS text[])) AS text[]));

-- settle: sent
UPDATE "waybill_outbox"
SET "status" = 'SENT', "sent_at" = statement_timestamp(), "due_at" = TIMESTAMPTZ '9999-12-31 00:00:00+00',
      "broker_id" = given.row_text, "last_error" = NULL, "claim_token" = NULL
FROM unnest(CAST((SELECT CAST(? AS text[])) AS text[]), CAST((SELECT CAST(? AS bigint[])) AS bigint[]),
      CAST((SELECT CAST(? AS text[])) AS text[])) AS given(row_key, row_ticks, row_text)
WHERE "event_id" = given.row_key AND "claim_token" = ? AND CASE
      WHEN "status" IN ('NEW', 'RETRY') THEN TRUE ELSE FALSE END;

-- settle: sent, without an id of the broker's
UPDATE "waybill_outbox"
SET "status" = 'SENT', "sent_at" = statement_timestamp(), "due_at" = TIMESTAMPTZ '9999-12-31 00:00:00+00',
      "last_error" = NULL, "claim_token" = NULL
WHERE "event_id" = ANY(CAST((SELECT CAST(? AS text[])) AS text[])) AND "claim_token" = ? AND CASE
      WHEN "status" IN ('NEW', 'RETRY') THEN TRUE ELSE FALSE END;

-- settle: retry
SET LOCAL idle_in_transaction_session_timeout = 300000;
SELECT "event_id" FROM "waybill_outbox"
WHERE "event_id" = ANY(CAST((SELECT CAST(? AS text[])) AS text[])) AND "claim_token" = ? AND CASE
      WHEN "status" IN ('NEW', 'RETRY') THEN TRUE ELSE FALSE END
FOR UPDATE;
UPDATE "waybill_outbox"
SET "status" = 'RETRY', "attempts" = "attempts" + 1, "due_at" = statement_timestamp() + CAST(given.row_ticks AS bigint)
      * INTERVAL '1 microsecond', "last_error" = given.row_text, "claim_token" = NULL
FROM unnest(CAST((SELECT CAST(? AS text[])) AS text[]), CAST((SELECT CAST(? AS bigint[])) AS bigint[]),
      CAST((SELECT CAST(? AS text[])) AS text[])) AS given(row_key, row_ticks, row_text)
WHERE "event_id" = given.row_key AND "claim_token" = ? AND CASE
      WHEN "status" IN ('NEW', 'RETRY') THEN TRUE ELSE FALSE END;
INSERT INTO waybill_attempt (outbox_table, event_id, attempt, error, failed_at, node, took_ms)
VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP(3), ?, CAST(? AS bigint)),
      (?, ?, ?, ?, CURRENT_TIMESTAMP(3), ?, CAST(? AS bigint));

-- settle: dead
SET LOCAL idle_in_transaction_session_timeout = 300000;
SELECT "event_id" FROM "waybill_outbox"
WHERE "event_id" = ANY(CAST((SELECT CAST(? AS text[])) AS text[])) AND "claim_token" = ? AND CASE
      WHEN "status" IN ('NEW', 'RETRY') THEN TRUE ELSE FALSE END
FOR UPDATE;
UPDATE "waybill_outbox"
SET "status" = 'DEAD', "attempts" = "attempts" + 1, "due_at" = TIMESTAMPTZ '9998-12-31 00:00:00+00',
      "last_error" = given.row_text, "claim_token" = NULL
FROM unnest(CAST((SELECT CAST(? AS text[])) AS text[]), CAST((SELECT CAST(? AS bigint[])) AS bigint[]),
      CAST((SELECT CAST(? AS text[])) AS text[])) AS given(row_key, row_ticks, row_text)
WHERE "event_id" = given.row_key AND "claim_token" = ? AND CASE
      WHEN "status" IN ('NEW', 'RETRY') THEN TRUE ELSE FALSE END;
INSERT INTO waybill_attempt (outbox_table, event_id, attempt, error, failed_at, node, took_ms)
VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP(3), ?, CAST(? AS bigint)),
      (?, ?, ?, ?, CURRENT_TIMESTAMP(3), ?, CAST(? AS bigint));

-- settle: released
UPDATE "waybill_outbox"
SET "due_at" = statement_timestamp() + CAST(given.row_ticks AS bigint) * INTERVAL '1 microsecond', "claim_token" = NULL
FROM unnest(CAST((SELECT CAST(? AS text[])) AS text[]), CAST((SELECT CAST(? AS bigint[])) AS bigint[]),
      CAST((SELECT CAST(? AS text[])) AS text[])) AS given(row_key, row_ticks, row_text)
WHERE "event_id" = given.row_key AND "claim_token" = ? AND CASE
      WHEN "status" IN ('NEW', 'RETRY') THEN TRUE ELSE FALSE END;

-- backlog
SELECT "status", COUNT(*), SUM(failed) FROM
    (SELECT "status", 0 AS failed FROM "waybill_outbox"
    WHERE "status" IN ('NEW', 'RETRY') ORDER BY "due_at" DESC LIMIT ?) counted
GROUP BY "status";
SELECT COUNT(*) FROM
    (SELECT 1 AS one FROM "waybill_outbox"
    WHERE "status" = 'DEAD' LIMIT ?) counted;
SELECT CAST(COALESCE(SUM(GREATEST(reltuples, 0)), 0) AS bigint) FROM pg_class
WHERE oid = to_regclass(?)
    OR oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass(?));
SELECT COUNT(*) FROM
    (SELECT 1 AS one FROM "waybill_outbox" WHERE "status" = 'SENT' LIMIT ?) counted;
SELECT CAST(EXTRACT(EPOCH FROM CAST("due_at" AS timestamptz)) * 1000000 AS bigint),
      CAST(EXTRACT(EPOCH FROM CAST(clock_timestamp() AS timestamptz)) * 1000000 AS bigint) FROM "waybill_outbox"
WHERE "status" IN ('NEW', 'RETRY') AND "due_at" <= statement_timestamp() ORDER BY "due_at" LIMIT 1;

-- dead
SELECT "event_id" AS wb_EVENT_ID, "event_type" AS wb_TYPE, "aggregate_type" AS wb_AGGREGATE_TYPE,
      "aggregate_id" AS wb_AGGREGATE_ID, "biz_key" AS wb_BIZ_KEY, "schema_version" AS wb_SCHEMA_VERSION,
      CAST(EXTRACT(EPOCH FROM CAST("occurred_at" AS timestamptz)) * 1000000 AS bigint) AS wb_OCCURRED_AT,
      "trace_id" AS wb_TRACE_ID, "headers" AS wb_HEADERS, "payload" AS wb_PAYLOAD, "topic" AS wb_TOPIC, "tag" AS wb_TAG,
      "attempts" AS wb_ATTEMPTS, CAST(EXTRACT(EPOCH FROM CAST("due_at" AS timestamptz)) * 1000000 AS bigint) AS wb_DUE,
      "last_error" AS wb_error FROM "waybill_outbox"
WHERE "status" = 'DEAD' AND "due_at" = TIMESTAMPTZ '9998-12-31 00:00:00+00'
ORDER BY "created_at", "event_id"
LIMIT ?;

-- dead: without payloads, behind a key
SELECT "event_id" AS wb_EVENT_ID, "event_type" AS wb_TYPE, "aggregate_type" AS wb_AGGREGATE_TYPE,
      "aggregate_id" AS wb_AGGREGATE_ID, "biz_key" AS wb_BIZ_KEY, "schema_version" AS wb_SCHEMA_VERSION,
      CAST(EXTRACT(EPOCH FROM CAST("occurred_at" AS timestamptz)) * 1000000 AS bigint) AS wb_OCCURRED_AT,
      "trace_id" AS wb_TRACE_ID, "headers" AS wb_HEADERS, CASE WHEN "payload" IS NOT NULL THEN '{}' END AS wb_PAYLOAD,
      "topic" AS wb_TOPIC, "tag" AS wb_TAG, "attempts" AS wb_ATTEMPTS,
      CAST(EXTRACT(EPOCH FROM CAST("due_at" AS timestamptz)) * 1000000 AS bigint) AS wb_DUE, "last_error" AS wb_error
FROM "waybill_outbox"
WHERE "status" = 'DEAD' AND "due_at" = TIMESTAMPTZ '9998-12-31 00:00:00+00' AND "event_id" > ?
ORDER BY "event_id"
LIMIT ?;

-- edit
SET LOCAL idle_in_transaction_session_timeout = 300000;
SELECT "event_id" AS wb_EVENT_ID, "event_type" AS wb_TYPE, "aggregate_type" AS wb_AGGREGATE_TYPE,
      "aggregate_id" AS wb_AGGREGATE_ID, "biz_key" AS wb_BIZ_KEY, "schema_version" AS wb_SCHEMA_VERSION,
      CAST(EXTRACT(EPOCH FROM CAST("occurred_at" AS timestamptz)) * 1000000 AS bigint) AS wb_OCCURRED_AT,
      "trace_id" AS wb_TRACE_ID, "headers" AS wb_HEADERS, "payload" AS wb_PAYLOAD, "topic" AS wb_TOPIC, "tag" AS wb_TAG,
      "attempts" AS wb_ATTEMPTS, CAST(EXTRACT(EPOCH FROM CAST("due_at" AS timestamptz)) * 1000000 AS bigint) AS wb_DUE,
      "last_error" AS wb_error FROM "waybill_outbox"
WHERE "event_id" = ANY(CAST((SELECT CAST(? AS text[])) AS text[])) AND "status" = 'DEAD'
FOR UPDATE;
INSERT INTO waybill_audit
    (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP);
UPDATE "waybill_outbox"
SET "payload" = ?, "headers" = ?
WHERE "event_id" = ANY(CAST((SELECT CAST(? AS text[])) AS text[]));

-- requeue
SET LOCAL idle_in_transaction_session_timeout = 300000;
SELECT "event_id" AS wb_EVENT_ID, "event_type" AS wb_TYPE, "aggregate_type" AS wb_AGGREGATE_TYPE,
      "aggregate_id" AS wb_AGGREGATE_ID, "biz_key" AS wb_BIZ_KEY, "schema_version" AS wb_SCHEMA_VERSION,
      CAST(EXTRACT(EPOCH FROM CAST("occurred_at" AS timestamptz)) * 1000000 AS bigint) AS wb_OCCURRED_AT,
      "trace_id" AS wb_TRACE_ID, "headers" AS wb_HEADERS, "payload" AS wb_PAYLOAD, "topic" AS wb_TOPIC, "tag" AS wb_TAG,
      "attempts" AS wb_ATTEMPTS, CAST(EXTRACT(EPOCH FROM CAST("due_at" AS timestamptz)) * 1000000 AS bigint) AS wb_DUE,
      "last_error" AS wb_error FROM "waybill_outbox"
WHERE "event_id" = ANY(CAST((SELECT CAST(? AS text[])) AS text[])) AND "status" = 'DEAD'
FOR UPDATE;
INSERT INTO waybill_audit
    (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP), (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP);
UPDATE "waybill_outbox"
SET "status" = 'NEW', "attempts" = 0, "due_at" = statement_timestamp(), "last_error" = NULL, "claim_token" = NULL
WHERE "event_id" = ANY(CAST((SELECT CAST(? AS text[])) AS text[]));

-- discard
SET LOCAL idle_in_transaction_session_timeout = 300000;
SELECT "event_id" AS wb_EVENT_ID, "event_type" AS wb_TYPE, "aggregate_type" AS wb_AGGREGATE_TYPE,
      "aggregate_id" AS wb_AGGREGATE_ID, "biz_key" AS wb_BIZ_KEY, "schema_version" AS wb_SCHEMA_VERSION,
      CAST(EXTRACT(EPOCH FROM CAST("occurred_at" AS timestamptz)) * 1000000 AS bigint) AS wb_OCCURRED_AT,
      "trace_id" AS wb_TRACE_ID, "headers" AS wb_HEADERS, "payload" AS wb_PAYLOAD, "topic" AS wb_TOPIC, "tag" AS wb_TAG,
      "attempts" AS wb_ATTEMPTS, CAST(EXTRACT(EPOCH FROM CAST("due_at" AS timestamptz)) * 1000000 AS bigint) AS wb_DUE,
      "last_error" AS wb_error FROM "waybill_outbox"
WHERE "event_id" = ANY(CAST((SELECT CAST(? AS text[])) AS text[])) AND "status" = 'DEAD'
FOR UPDATE;
INSERT INTO waybill_audit
    (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP), (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP);
DELETE FROM "waybill_outbox" WHERE "event_id" = ANY(CAST((SELECT CAST(? AS text[])) AS text[]));

-- search: by id
SELECT "event_id" AS wb_EVENT_ID, "event_type" AS wb_TYPE, "aggregate_type" AS wb_AGGREGATE_TYPE,
      "aggregate_id" AS wb_AGGREGATE_ID, "biz_key" AS wb_BIZ_KEY, "schema_version" AS wb_SCHEMA_VERSION,
      CAST(EXTRACT(EPOCH FROM CAST("occurred_at" AS timestamptz)) * 1000000 AS bigint) AS wb_OCCURRED_AT,
      "trace_id" AS wb_TRACE_ID, "headers" AS wb_HEADERS, CASE WHEN "payload" IS NOT NULL THEN '{}' END AS wb_PAYLOAD,
      "topic" AS wb_TOPIC, "tag" AS wb_TAG, "attempts" AS wb_ATTEMPTS,
      CAST(EXTRACT(EPOCH FROM CAST("due_at" AS timestamptz)) * 1000000 AS bigint) AS wb_DUE, "status" AS wb_state,
      CAST(EXTRACT(EPOCH FROM CAST("created_at" AS timestamptz)) * 1000000 AS bigint) AS wb_born
FROM "waybill_outbox"
WHERE "event_id" = ?
ORDER BY "event_id" DESC
LIMIT ?;

-- search: by key
SELECT led.row_key, CASE WHEN 1 = 1 THEN 1 ELSE 0 END
FROM ((SELECT "event_id" AS row_key FROM "waybill_outbox" WHERE "biz_key" = ? LIMIT 4001)) led
ORDER BY led.row_key DESC;
SELECT "event_id" AS wb_EVENT_ID, "event_type" AS wb_TYPE, "aggregate_type" AS wb_AGGREGATE_TYPE,
      "aggregate_id" AS wb_AGGREGATE_ID, "biz_key" AS wb_BIZ_KEY, "schema_version" AS wb_SCHEMA_VERSION,
      CAST(EXTRACT(EPOCH FROM CAST("occurred_at" AS timestamptz)) * 1000000 AS bigint) AS wb_OCCURRED_AT,
      "trace_id" AS wb_TRACE_ID, "headers" AS wb_HEADERS, CASE WHEN "payload" IS NOT NULL THEN '{}' END AS wb_PAYLOAD,
      "topic" AS wb_TOPIC, "tag" AS wb_TAG, "attempts" AS wb_ATTEMPTS,
      CAST(EXTRACT(EPOCH FROM CAST("due_at" AS timestamptz)) * 1000000 AS bigint) AS wb_DUE, "status" AS wb_state,
      CAST(EXTRACT(EPOCH FROM CAST("created_at" AS timestamptz)) * 1000000 AS bigint) AS wb_born
FROM "waybill_outbox"
WHERE "event_id" = ANY(CAST((SELECT CAST(? AS text[])) AS text[])) AND "biz_key" = ?
ORDER BY "event_id" DESC
LIMIT ?;

-- search: by state, the second page
SELECT led.row_key, CASE WHEN led.row_key < ? THEN 1 ELSE 0 END
FROM ((SELECT "event_id" AS row_key FROM "waybill_outbox" WHERE "status" IN ('NEW', 'RETRY') LIMIT 4001)
UNION ALL
(SELECT "event_id" AS row_key FROM "waybill_outbox" WHERE "status" = 'DEAD' LIMIT 4001)) led
ORDER BY led.row_key DESC;
SELECT "event_id" AS wb_EVENT_ID, "event_type" AS wb_TYPE, "aggregate_type" AS wb_AGGREGATE_TYPE,
      "aggregate_id" AS wb_AGGREGATE_ID, "biz_key" AS wb_BIZ_KEY, "schema_version" AS wb_SCHEMA_VERSION,
      CAST(EXTRACT(EPOCH FROM CAST("occurred_at" AS timestamptz)) * 1000000 AS bigint) AS wb_OCCURRED_AT,
      "trace_id" AS wb_TRACE_ID, "headers" AS wb_HEADERS, CASE WHEN "payload" IS NOT NULL THEN '{}' END AS wb_PAYLOAD,
      "topic" AS wb_TOPIC, "tag" AS wb_TAG, "attempts" AS wb_ATTEMPTS,
      CAST(EXTRACT(EPOCH FROM CAST("due_at" AS timestamptz)) * 1000000 AS bigint) AS wb_DUE, "status" AS wb_state,
      CAST(EXTRACT(EPOCH FROM CAST("created_at" AS timestamptz)) * 1000000 AS bigint) AS wb_born
FROM "waybill_outbox"
WHERE "event_id" = ANY(CAST((SELECT CAST(? AS text[])) AS text[]))
      AND (("status" IN ('NEW', 'RETRY') AND "attempts" > 0) OR "status" = 'DEAD')
ORDER BY "event_id" DESC
LIMIT ?;

-- search: what no index leads to
SELECT "event_id" FROM "waybill_outbox" ORDER BY "event_id" LIMIT 1;
SELECT "event_id" FROM "waybill_outbox" ORDER BY "event_id" DESC LIMIT 1;
SELECT "event_id" FROM "waybill_outbox"
WHERE "event_id" < ? AND "event_id" >= ?
ORDER BY "event_id" DESC
LIMIT 1 OFFSET ?;
SELECT "event_id" AS wb_EVENT_ID, "event_type" AS wb_TYPE, "aggregate_type" AS wb_AGGREGATE_TYPE,
      "aggregate_id" AS wb_AGGREGATE_ID, "biz_key" AS wb_BIZ_KEY, "schema_version" AS wb_SCHEMA_VERSION,
      CAST(EXTRACT(EPOCH FROM CAST("occurred_at" AS timestamptz)) * 1000000 AS bigint) AS wb_OCCURRED_AT,
      "trace_id" AS wb_TRACE_ID, "headers" AS wb_HEADERS, CASE WHEN "payload" IS NOT NULL THEN '{}' END AS wb_PAYLOAD,
      "topic" AS wb_TOPIC, "tag" AS wb_TAG, "attempts" AS wb_ATTEMPTS,
      CAST(EXTRACT(EPOCH FROM CAST("due_at" AS timestamptz)) * 1000000 AS bigint) AS wb_DUE, "status" AS wb_state,
      CAST(EXTRACT(EPOCH FROM CAST("created_at" AS timestamptz)) * 1000000 AS bigint) AS wb_born
FROM "waybill_outbox"
WHERE "event_id" < ? AND "event_id" >= ? AND CASE WHEN "topic" = ? THEN TRUE ELSE FALSE END AND CASE
      WHEN "created_at" >= CAST(? AS timestamptz) THEN TRUE ELSE FALSE END AND CASE
      WHEN "created_at" < CAST(? AS timestamptz) THEN TRUE ELSE FALSE END
ORDER BY "event_id" DESC
LIMIT ?;

-- find
SELECT "event_id" AS wb_EVENT_ID, "event_type" AS wb_TYPE, "aggregate_type" AS wb_AGGREGATE_TYPE,
      "aggregate_id" AS wb_AGGREGATE_ID, "biz_key" AS wb_BIZ_KEY, "schema_version" AS wb_SCHEMA_VERSION,
      CAST(EXTRACT(EPOCH FROM CAST("occurred_at" AS timestamptz)) * 1000000 AS bigint) AS wb_OCCURRED_AT,
      "trace_id" AS wb_TRACE_ID, "headers" AS wb_HEADERS, "payload" AS wb_PAYLOAD, "topic" AS wb_TOPIC, "tag" AS wb_TAG,
      "attempts" AS wb_ATTEMPTS, CAST(EXTRACT(EPOCH FROM CAST("due_at" AS timestamptz)) * 1000000 AS bigint) AS wb_DUE,
      "status" AS wb_state, CAST(EXTRACT(EPOCH FROM CAST("created_at" AS timestamptz)) * 1000000 AS bigint) AS wb_born,
      CAST(EXTRACT(EPOCH FROM CAST("due_at" AS timestamptz)) * 1000000 AS bigint) AS wb_due_at,
      CAST(EXTRACT(EPOCH FROM CAST("sent_at" AS timestamptz)) * 1000000 AS bigint) AS wb_sent_at,
    "broker_id" AS wb_broker, "last_error" AS wb_error
FROM "waybill_outbox"
WHERE "event_id" = ?;

-- attempts
SELECT event_id, attempt, error, CAST(EXTRACT(EPOCH FROM CAST(failed_at AS timestamptz)) * 1000000 AS bigint), node,
      took_ms FROM waybill_attempt
WHERE event_id = ? AND outbox_table = ?
ORDER BY id DESC
LIMIT ?;

-- attempts: the latest
SELECT event_id, attempt, error, CAST(EXTRACT(EPOCH FROM CAST(failed_at AS timestamptz)) * 1000000 AS bigint), node,
      took_ms FROM waybill_attempt
WHERE outbox_table = ?
ORDER BY id DESC
LIMIT ?;

-- sweep: sent rows
SELECT c.relname, pg_get_expr(c.relpartbound, c.oid)
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = to_regclass(?)
ORDER BY c.relname;
SELECT "event_id", CASE WHEN "status" IN ('SENT') AND COALESCE("sent_at", "created_at",
      "occurred_at") <= statement_timestamp() + CAST(? AS bigint) * INTERVAL '1 microsecond' THEN 1 ELSE 0 END,
    CASE WHEN "created_at" > statement_timestamp() + CAST(? AS bigint) * INTERVAL '1 microsecond' THEN 1 ELSE 0 END
FROM "waybill_outbox"
ORDER BY "event_id"
LIMIT ?;
DELETE FROM "waybill_outbox" WHERE "event_id" = ANY(CAST((SELECT CAST(? AS text[])) AS text[])) AND "status" IN ('SENT');
SELECT "event_id", CASE WHEN "status" IN ('SENT') AND COALESCE("sent_at", "created_at",
      "occurred_at") <= statement_timestamp() + CAST(? AS bigint) * INTERVAL '1 microsecond' THEN 1 ELSE 0 END,
    CASE WHEN "created_at" > statement_timestamp() + CAST(? AS bigint) * INTERVAL '1 microsecond' THEN 1 ELSE 0 END
FROM "waybill_outbox"
WHERE "event_id" > ?
ORDER BY "event_id"
LIMIT ?;
DELETE FROM "waybill_outbox" WHERE "event_id" = ANY(CAST((SELECT CAST(? AS text[])) AS text[])) AND "status" IN ('SENT');

-- sweep: the audit
SELECT id, event_id FROM waybill_audit
WHERE outbox_table = ? AND id > ? AND decided_at <= CURRENT_TIMESTAMP + CAST(? AS bigint) * INTERVAL '1 microsecond'
ORDER BY id
LIMIT ?;
DELETE FROM waybill_audit WHERE id IN (?, ?, ?, ?, ?, ?, ?, ?) AND outbox_table = ?;

-- sweep: DEAD rows, by an age of their own
SELECT "event_id" FROM "waybill_outbox"
WHERE "status" = 'DEAD' AND "due_at" = TIMESTAMPTZ '9998-12-31 00:00:00+00'
      AND COALESCE("sent_at", "created_at", "occurred_at") <= statement_timestamp() + CAST(? AS bigint) * INTERVAL '1
      microsecond'
ORDER BY "created_at", "event_id"
LIMIT ?;
DELETE FROM "waybill_outbox" WHERE "event_id" = ANY(CAST((SELECT CAST(? AS text[])) AS text[])) AND "status" = 'DEAD';

-- sweep: sent rows, into an archive
SELECT n.nspname || '.' || c.relname FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass(?);
SELECT c.relname, pg_get_expr(c.relpartbound, c.oid)
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = to_regclass(?)
ORDER BY c.relname;
SELECT "event_id", CASE WHEN "status" IN ('SENT') AND COALESCE("sent_at", "created_at",
      "occurred_at") <= statement_timestamp() + CAST(? AS bigint) * INTERVAL '1 microsecond' THEN 1 ELSE 0 END,
    CASE WHEN "created_at" > statement_timestamp() + CAST(? AS bigint) * INTERVAL '1 microsecond' THEN 1 ELSE 0 END
FROM "waybill_outbox"
ORDER BY "event_id"
LIMIT ?;
SET LOCAL idle_in_transaction_session_timeout = 30000;
SELECT * FROM "waybill_outbox"
WHERE "event_id" = ANY(CAST((SELECT CAST(? AS text[])) AS text[])) AND "status" IN ('SENT') FOR UPDATE SKIP LOCKED;
DELETE FROM "waybill_outbox" WHERE "event_id" = ANY(CAST((SELECT CAST(? AS text[])) AS text[])) AND "status" IN ('SENT');
