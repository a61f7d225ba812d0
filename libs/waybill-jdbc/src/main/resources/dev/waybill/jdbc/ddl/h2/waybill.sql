-- Waybill's own outbox. Settled rows get a due time in the year 9999 (dead ones 9998), so that the index begins with the
-- waiting rows.
CREATE TABLE IF NOT EXISTS waybill_outbox (
  event_id       VARCHAR(64) NOT NULL PRIMARY KEY,
  event_type     VARCHAR(128)  NOT NULL,
  aggregate_type VARCHAR(64)   NULL,
  aggregate_id   VARCHAR(128)  NULL,
  biz_key        VARCHAR(128)  NULL,
  schema_version INT           NOT NULL DEFAULT 1,
  occurred_at    TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  trace_id       VARCHAR(64)   NULL,
  headers        CLOB          NULL,
  payload        CLOB          NOT NULL,
  topic          VARCHAR(255)  NULL,
  tag            VARCHAR(255)  NULL,
  status         VARCHAR(8) NOT NULL DEFAULT 'NEW',
  attempts       INT           NOT NULL DEFAULT 0,
  due_at         TIMESTAMP(6) WITH TIME ZONE NOT NULL DEFAULT CURRENT_TIMESTAMP,
  claim_token    VARCHAR(32) NULL,
  broker_id      VARCHAR(128)  NULL,
  last_error     VARCHAR(2000) NULL,
  created_at     TIMESTAMP(6) WITH TIME ZONE NOT NULL DEFAULT CURRENT_TIMESTAMP,
  sent_at        TIMESTAMP(6) WITH TIME ZONE NULL
);
CREATE INDEX IF NOT EXISTS waybill_outbox_idx_due ON waybill_outbox (due_at);
