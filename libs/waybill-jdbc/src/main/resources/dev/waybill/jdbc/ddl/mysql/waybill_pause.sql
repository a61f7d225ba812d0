-- What people have paused, for all replicas of an application together; a row is there until somebody resumes it.
CREATE TABLE IF NOT EXISTS waybill_pause (
  scope     VARCHAR(128) COLLATE utf8mb4_bin NOT NULL,
  part      VARCHAR(255) COLLATE utf8mb4_bin NOT NULL,
  actor     VARCHAR(128) NOT NULL,
  reason    VARCHAR(512) NOT NULL,
  paused_at DATETIME(3)  NOT NULL,
  PRIMARY KEY (scope, part)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;
