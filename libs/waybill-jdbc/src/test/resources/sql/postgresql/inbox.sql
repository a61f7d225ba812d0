-- The inbox on postgresql, as GoldenSqlTest recorded it

-- verify
INSERT INTO "waybill_inbox" ("event_id", "consumer_group", "event_type", "trace_id", "created_at", "status")
SELECT "event_id", "consumer_group", "event_type", "trace_id", "created_at", "status" FROM "waybill_inbox" WHERE 1 = 0;
UPDATE "waybill_inbox" SET "event_id" = "event_id" WHERE 1 = 0;
DELETE FROM "waybill_inbox" WHERE 1 = 0;

-- admit: a new event
INSERT INTO "waybill_inbox" AS mine ("event_id", "consumer_group", "event_type", "trace_id", "created_at", "status",
      "attempts")
SELECT ?, ?, ?, ?, clock_timestamp(), 'PROCESSING', 0
WHERE pg_try_advisory_xact_lock(?)
ON CONFLICT ("event_id", "consumer_group") DO UPDATE
SET "status" = 'PROCESSING'
WHERE mine."status" NOT IN ('SUCCESS', 'IGNORED')
RETURNING mine."attempts";

-- settle: success
UPDATE "waybill_inbox"
SET "status" = 'SUCCESS', "cost_ms" = ?, "last_error" = NULL, "done_at" = clock_timestamp()
WHERE "event_id" = ? AND "consumer_group" = ? AND "status" = 'PROCESSING';

-- admit: an event that is done
INSERT INTO "waybill_inbox" AS mine ("event_id", "consumer_group", "event_type", "trace_id", "created_at", "status",
      "attempts")
SELECT ?, ?, ?, ?, clock_timestamp(), 'PROCESSING', 0
WHERE pg_try_advisory_xact_lock(?)
ON CONFLICT ("event_id", "consumer_group") DO UPDATE
SET "status" = 'PROCESSING'
WHERE mine."status" NOT IN ('SUCCESS', 'IGNORED')
RETURNING mine."attempts";
SELECT "event_id", "consumer_group", CASE WHEN "status" IN ('SUCCESS', 'IGNORED') THEN 1 ELSE 0 END, "attempts"
FROM "waybill_inbox" WHERE "event_id" = ? AND "consumer_group" = ?;

-- fail: for the first time
SET LOCAL idle_in_transaction_session_timeout = 30000;
SET LOCAL lock_timeout = '1s';
UPDATE "waybill_inbox"
SET "status" = 'FAILED', "attempts" = "attempts" + 1, "last_error" = ?
WHERE "event_id" = ? AND "consumer_group" = ? AND "status" NOT IN ('SUCCESS', 'IGNORED');
INSERT INTO "waybill_inbox" ("event_id", "consumer_group", "event_type", "trace_id", "created_at", "status", "attempts",
      "last_error")
VALUES (?, ?, ?, ?, clock_timestamp(), 'FAILED', 1, ?) ON CONFLICT DO NOTHING;

-- fail: again
SET LOCAL idle_in_transaction_session_timeout = 30000;
SET LOCAL lock_timeout = '1s';
UPDATE "waybill_inbox"
SET "status" = 'FAILED', "attempts" = "attempts" + 1, "last_error" = ?
WHERE "event_id" = ? AND "consumer_group" = ? AND "status" NOT IN ('SUCCESS', 'IGNORED');

-- last error
SELECT "last_error" FROM "waybill_inbox"
WHERE "event_id" = ? AND "consumer_group" = ? AND "status" NOT IN ('SUCCESS', 'IGNORED') AND "last_error" IS NOT NULL;

-- admit: an event that failed before
INSERT INTO "waybill_inbox" AS mine ("event_id", "consumer_group", "event_type", "trace_id", "created_at", "status",
      "attempts")
SELECT ?, ?, ?, ?, clock_timestamp(), 'PROCESSING', 0
WHERE pg_try_advisory_xact_lock(?)
ON CONFLICT ("event_id", "consumer_group") DO UPDATE
SET "status" = 'PROCESSING'
WHERE mine."status" NOT IN ('SUCCESS', 'IGNORED')
RETURNING mine."attempts";

-- settle: ignored
UPDATE "waybill_inbox"
SET "status" = 'IGNORED', "cost_ms" = ?, "last_error" = ?, "done_at" = clock_timestamp()
WHERE "event_id" = ? AND "consumer_group" = ? AND "status" = 'PROCESSING';

-- sweep: events that failed
SELECT "event_id", "consumer_group" FROM "waybill_inbox"
WHERE "created_at" <= statement_timestamp() + CAST(? AS bigint) * INTERVAL '1 microsecond'
      AND "status" NOT IN ('SUCCESS', 'IGNORED') AND "done_at" IS NULL
LIMIT ?;
SET LOCAL idle_in_transaction_session_timeout = 30000;
SELECT "event_id", "consumer_group" FROM "waybill_inbox"
WHERE (("event_id" = ? AND "consumer_group" = ?)) AND "created_at" <= statement_timestamp() + CAST(? AS bigint) *
      INTERVAL '1 microsecond' AND "status" NOT IN ('SUCCESS', 'IGNORED')
FOR UPDATE SKIP LOCKED;
DELETE FROM "waybill_inbox" WHERE (("event_id" = ? AND "consumer_group" = ?));

-- sweep
SELECT "event_id", "consumer_group" FROM "waybill_inbox"
WHERE "done_at" <= statement_timestamp() + CAST(? AS bigint) * INTERVAL '1 microsecond'
      AND "status" IN ('SUCCESS', 'IGNORED')
LIMIT ?;
DELETE FROM "waybill_inbox"
WHERE (("event_id" = ? AND "consumer_group" = ?) OR ("event_id" = ? AND "consumer_group" = ?))
      AND "status" IN ('SUCCESS', 'IGNORED');
