-- status: 0=PREPARED, 1=READY, 2=DISPATCHING, 3=SENT, 4=DEAD, 5=CANCELED
CREATE TABLE IF NOT EXISTS events (
  event_id        BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  publisher_app   VARCHAR(64)  NOT NULL,
  topic           VARCHAR(128) NOT NULL,
  event_type      VARCHAR(64)  NOT NULL,
  biz_key         VARCHAR(128) NOT NULL,
  payload         JSON         NOT NULL,
  headers         JSON         NULL,
  status          TINYINT      NOT NULL,
  attempts        INT          NOT NULL DEFAULT 0,
  next_attempt_at DATETIME     NOT NULL DEFAULT CURRENT_TIMESTAMP,
  mq_msg_id       VARCHAR(128) NULL,
  last_error      VARCHAR(512) NULL,
  created_at      DATETIME     NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at      DATETIME     NOT NULL DEFAULT CURRENT_TIMESTAMP,
  UNIQUE KEY uk_publisher_biz (publisher_app, event_type, biz_key),
  KEY idx_status_next (status, next_attempt_at),
  KEY idx_topic_status (topic, status, next_attempt_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;
