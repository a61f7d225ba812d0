CREATE TABLE IF NOT EXISTS t_mq_consume_log (
  id             BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  event_id       VARCHAR(64) NOT NULL,
  consumer_group VARCHAR(64) NOT NULL,
  status         VARCHAR(16) NOT NULL,
  cost_ms        BIGINT NULL,
  attempts       INT NOT NULL DEFAULT 0,
  last_error     VARCHAR(512) NULL,
  created_at     DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at     DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
  UNIQUE KEY uk_event_group (event_id, consumer_group),
  KEY idx_created_at (created_at),
  KEY idx_updated_at (updated_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;
