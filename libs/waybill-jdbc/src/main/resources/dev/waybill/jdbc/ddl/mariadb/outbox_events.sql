CREATE TABLE IF NOT EXISTS outbox_events (
  id              BIGINT      NOT NULL AUTO_INCREMENT PRIMARY KEY,
  event_id        VARCHAR(64) NOT NULL UNIQUE,
  event_type      VARCHAR(64) NOT NULL,
  aggregate_type  VARCHAR(64) NOT NULL,
  aggregate_id    BIGINT      NOT NULL,
  payload         TEXT        NOT NULL,
  status          VARCHAR(16) NOT NULL,
  retry_count     INT         NOT NULL DEFAULT 0,
  next_retry_time DATETIME    NULL,
  create_time     DATETIME    NOT NULL,
  update_time     DATETIME    NOT NULL,
  KEY idx_status_time (status, next_retry_time),
  KEY idx_aggregate (aggregate_type, aggregate_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;
