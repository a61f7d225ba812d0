-- Who decided what about which event or dead letter, and why. The event is stored with it; of an edited letter, the old body.
CREATE TABLE IF NOT EXISTS waybill_audit (
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
