CREATE TABLE outbox_event (
  id              BIGINT PRIMARY KEY AUTO_INCREMENT,
  biz_key         VARCHAR(128) NOT NULL,
  event_type      VARCHAR(64)  NOT NULL,
  payload         JSON         NOT NULL,
  headers         JSON         NULL,
  status          TINYINT      NOT NULL,
  attempts        INT          NOT NULL DEFAULT 0,
  next_attempt_at DATETIME     NOT NULL DEFAULT NOW(),
  last_error      VARCHAR(512) NULL,
  mq_msg_id       VARCHAR(128) NULL,
  created_at      DATETIME     NOT NULL DEFAULT NOW(),
  updated_at      DATETIME     NOT NULL DEFAULT NOW(),
  KEY idx_status_time (status, next_attempt_at),
  KEY idx_biz_key (biz_key)
)
