-- What the outbox and the inbox write to; the layouts outbox_events and event_consume_log of Waybill, and its own tables.
CREATE TABLE outbox_events (
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

CREATE TABLE event_consume_log (
  id           BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  event_id     VARCHAR(64) NOT NULL UNIQUE,
  event_type   VARCHAR(64) NOT NULL,
  consumer     VARCHAR(64) NOT NULL,
  consume_time DATETIME NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

-- Errors of events whose table has no column for them; written on failures only.
CREATE TABLE waybill_attempt (
  id           BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY,
  outbox_table VARCHAR(128)  NOT NULL,
  event_id     VARCHAR(64)   NOT NULL,
  attempt      INT           NOT NULL,
  error        VARCHAR(2000) NULL,
  failed_at    DATETIME(3)   NOT NULL,
  KEY idx_attempt_event (event_id, outbox_table)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

-- Who decided what about which event or dead letter, and why. The event is kept with it; of an edited letter, the old body.
CREATE TABLE waybill_audit (
  id           BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY,
  outbox_table VARCHAR(128)  NOT NULL,
  event_id     VARCHAR(64)   NOT NULL,
  event_type   VARCHAR(128)  NOT NULL,
  action       VARCHAR(16)   NOT NULL,
  actor        VARCHAR(128)  NOT NULL,
  reason       VARCHAR(512)  NOT NULL,
  attempts     INT           NOT NULL,
  error        VARCHAR(2000) NULL,
  event        LONGTEXT      NOT NULL,
  decided_at   DATETIME(3)   NOT NULL,
  letter_id    BIGINT        NULL,
  KEY idx_audit_event (event_id, outbox_table)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

-- Dead letters, kept so that they do not expire. Times are UTC. The key is what makes one kept once, however often it is collected.
CREATE TABLE waybill_dead_letter (
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
