-- Waybill's own outbox. waybill_outbox_idx_due holds waiting rows only, so that it stays as small as the backlog.
-- Event ids of version 7 sort by time: the table can be partitioned by RANGE (event_id).
CREATE TABLE IF NOT EXISTS waybill_outbox (
  event_id       VARCHAR(64) NOT NULL PRIMARY KEY,
  event_type     VARCHAR(128)  NOT NULL,
  aggregate_type VARCHAR(64)   NULL,
  aggregate_id   VARCHAR(128)  NULL,
  biz_key        VARCHAR(128)  NULL,
  schema_version INT           NOT NULL DEFAULT 1,
  occurred_at    TIMESTAMPTZ    NOT NULL,
  trace_id       VARCHAR(64)   NULL,
  headers        TEXT          NULL,
  payload        TEXT          NOT NULL,
  topic          VARCHAR(255)  NULL,
  tag            VARCHAR(255)  NULL,
  status         VARCHAR(8) NOT NULL DEFAULT 'NEW',
  attempts       INT           NOT NULL DEFAULT 0,
  due_at         TIMESTAMPTZ    NOT NULL DEFAULT CURRENT_TIMESTAMP,
  claim_token    VARCHAR(32) NULL,
  broker_id      VARCHAR(128)  NULL,
  last_error     VARCHAR(2000) NULL,
  created_at     TIMESTAMPTZ    NOT NULL DEFAULT CURRENT_TIMESTAMP,
  sent_at        TIMESTAMPTZ    NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX IF NOT EXISTS waybill_outbox_idx_due ON waybill_outbox (due_at) WHERE status IN ('NEW', 'RETRY');
CREATE INDEX IF NOT EXISTS waybill_outbox_idx_dead ON waybill_outbox (created_at) WHERE status = 'DEAD';
