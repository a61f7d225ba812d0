-- status: 0=NEW, 1=DISPATCHING, 2=SENT, 3=DEAD
CREATE TABLE IF NOT EXISTS outbox_event (
  id              BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  biz_key         VARCHAR(128) NOT NULL,
  event_type      VARCHAR(64)  NOT NULL,
  payload         JSON         NOT NULL,
  headers         JSON         NULL,
  status          TINYINT      NOT NULL,
  attempts        INT          NOT NULL DEFAULT 0,
  next_attempt_at DATETIME     NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_error      VARCHAR(512) NULL,
  mq_msg_id       VARCHAR(128) NULL,
  created_at      DATETIME     NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at      DATETIME     NOT NULL DEFAULT CURRENT_TIMESTAMP,
  KEY idx_status_time (status, next_attempt_at),
  KEY idx_biz_key (biz_key)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;
