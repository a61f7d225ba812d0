-- Dead letters, stored so that they do not expire. Times are UTC. The unique key stores each letter once, however often it is
-- collected.
CREATE TABLE IF NOT EXISTS waybill_dead_letter (
  id             BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  source         VARCHAR(255) COLLATE utf8mb4_bin NOT NULL,
  consumer_group VARCHAR(255) COLLATE utf8mb4_bin NOT NULL,
  letter_key     VARCHAR(255) COLLATE utf8mb4_bin NOT NULL,
  message_id     VARCHAR(255) NULL,
  event_id       VARCHAR(128) NULL,
  event_type     VARCHAR(128) NULL,
  headers        LONGTEXT NOT NULL,
  body           LONGBLOB NOT NULL,
  error          VARCHAR(2000) NULL,
  state          VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  replays        INT NOT NULL DEFAULT 0,
  dead_at        DATETIME(3) NOT NULL,
  changed_at     DATETIME(3) NOT NULL,
  UNIQUE KEY uk_letter (source, consumer_group, letter_key),
  KEY idx_state (state, id),
  KEY idx_event (event_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;
