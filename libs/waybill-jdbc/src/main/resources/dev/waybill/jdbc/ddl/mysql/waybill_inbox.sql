-- Waybill's own consume log. Times are UTC. The primary key lets each group handle an event once; idx_done is for sweeping.
CREATE TABLE IF NOT EXISTS waybill_inbox (
  event_id       VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  consumer_group VARCHAR(128) COLLATE utf8mb4_bin NOT NULL,
  event_type     VARCHAR(128) NOT NULL,
  trace_id       VARCHAR(64) NULL,
  status         VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  attempts       INT NOT NULL DEFAULT 0,
  last_error     VARCHAR(2000) NULL,
  cost_ms        BIGINT NULL,
  created_at     DATETIME(3) NOT NULL DEFAULT (UTC_TIMESTAMP(3)),
  done_at        DATETIME(3) NULL,
  PRIMARY KEY (event_id, consumer_group),
  KEY idx_done (done_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;
