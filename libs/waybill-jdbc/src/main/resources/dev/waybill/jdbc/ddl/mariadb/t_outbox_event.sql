CREATE TABLE IF NOT EXISTS t_outbox_event (
  id            BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  event_id      VARCHAR(64)  NOT NULL,
  biz_key       VARCHAR(64)  NOT NULL,
  topic         VARCHAR(64)  NOT NULL,
  tag           VARCHAR(64)  NOT NULL,
  payload_json  TEXT         NOT NULL,
  status        VARCHAR(16)  NOT NULL DEFAULT 'NEW',
  retry_count   INT          NOT NULL DEFAULT 0,
  next_retry_at DATETIME     NULL,
  trace_id      VARCHAR(64)  NULL,
  version       INT          NOT NULL DEFAULT 0,
  sent_at       DATETIME     NULL,
  created_at    DATETIME     NOT NULL DEFAULT CURRENT_TIMESTAMP,
  UNIQUE KEY uk_event_id (event_id),
  KEY idx_status_next (status, next_retry_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;
