CREATE TABLE IF NOT EXISTS inbox_message (
  id           BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  group_name   VARCHAR(64) NOT NULL,
  message_key  VARCHAR(128) NOT NULL,
  state        TINYINT NOT NULL,
  attempts     INT NOT NULL DEFAULT 0,
  last_error   VARCHAR(512) NULL,
  processed_at DATETIME NULL,
  created_at   DATETIME NOT NULL DEFAULT NOW(),
  updated_at   DATETIME NOT NULL DEFAULT NOW(),
  UNIQUE KEY uk_group_msg (group_name, message_key)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;
