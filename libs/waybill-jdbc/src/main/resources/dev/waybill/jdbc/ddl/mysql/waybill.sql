-- Waybill's own outbox. Times are UTC. Settled rows get a due time in the year 9999 (dead ones 9998), so that idx_due begins
-- with the waiting rows. Event ids of version 7 sort by time: the table can be partitioned by RANGE COLUMNS (event_id).
-- A row that no relay has claimed yet has dashes as its token, because a claim that made the row longer would split its page.
CREATE TABLE IF NOT EXISTS waybill_outbox (
  event_id       VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  event_type     VARCHAR(128)  NOT NULL,
  aggregate_type VARCHAR(64)   NULL,
  aggregate_id   VARCHAR(128)  NULL,
  biz_key        VARCHAR(128)  NULL,
  schema_version INT           NOT NULL DEFAULT 1,
  occurred_at    DATETIME(3)   NOT NULL,
  trace_id       VARCHAR(64)   NULL,
  headers        LONGTEXT      NULL,
  payload        LONGTEXT      NOT NULL,
  topic          VARCHAR(255)  NULL,
  tag            VARCHAR(255)  NULL,
  status         VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'NEW',
  attempts       INT           NOT NULL DEFAULT 0,
  due_at         DATETIME(3)   NOT NULL DEFAULT (UTC_TIMESTAMP(3)),
  claim_token    VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL,
  broker_id      VARCHAR(128)  NULL,
  last_error     VARCHAR(2000) NULL,
  created_at     DATETIME(3)   NOT NULL DEFAULT (UTC_TIMESTAMP(3)),
  sent_at        DATETIME(3)   NULL,
  KEY idx_due (due_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;
