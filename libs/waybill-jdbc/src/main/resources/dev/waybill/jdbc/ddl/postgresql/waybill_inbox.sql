-- Waybill's own consume log. The primary key lets each group handle an event once; idx_done is for sweeping.
CREATE TABLE IF NOT EXISTS waybill_inbox (
  event_id       VARCHAR(64) NOT NULL,
  consumer_group VARCHAR(128) NOT NULL,
  event_type     VARCHAR(128) NOT NULL,
  trace_id       VARCHAR(64) NULL,
  status         VARCHAR(16) NOT NULL,
  attempts       INT NOT NULL DEFAULT 0,
  last_error     VARCHAR(2000) NULL,
  cost_ms        BIGINT NULL,
  created_at     TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
  done_at        TIMESTAMPTZ NULL,
  PRIMARY KEY (event_id, consumer_group)
);
CREATE INDEX IF NOT EXISTS waybill_inbox_idx_done ON waybill_inbox (done_at);
