-- Sends that failed: when, where, after how long, with which error. Written on failures only.
CREATE TABLE IF NOT EXISTS waybill_attempt (
  id           BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY,
  outbox_table VARCHAR(128)  NOT NULL,
  event_id     VARCHAR(64)   NOT NULL,
  attempt      INT           NOT NULL,
  error        VARCHAR(2000) NULL,
  node         VARCHAR(128)  NULL,
  took_ms      BIGINT        NULL,
  failed_at    DATETIME(3)   NOT NULL,
  KEY idx_attempt_event (event_id, outbox_table)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;
