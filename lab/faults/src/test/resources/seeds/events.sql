CREATE TABLE events (
  event_id        BIGINT PRIMARY KEY AUTO_INCREMENT,
  publisher_app   VARCHAR(64)  NOT NULL,
  topic           VARCHAR(128) NOT NULL,
  event_type      VARCHAR(64)  NOT NULL,
  biz_key         VARCHAR(128) NOT NULL,
  payload         JSON         NOT NULL,
  headers         JSON         NULL,
  status          TINYINT      NOT NULL,
  attempts        INT          NOT NULL DEFAULT 0,
  next_attempt_at DATETIME     NOT NULL DEFAULT NOW(),
  mq_msg_id       VARCHAR(128) NULL,
  last_error      VARCHAR(512) NULL,
  created_at      DATETIME     NOT NULL DEFAULT NOW(),
  updated_at      DATETIME     NOT NULL DEFAULT NOW(),
  UNIQUE KEY uk_publisher_biz (publisher_app, event_type, biz_key),
  KEY idx_status_next (status, next_attempt_at),
  KEY idx_topic_status (topic, status, next_attempt_at)
)
