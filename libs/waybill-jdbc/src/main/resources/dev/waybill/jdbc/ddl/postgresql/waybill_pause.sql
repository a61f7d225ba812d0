-- What people have paused, for all replicas of an application together; a row is there until somebody resumes it.
CREATE TABLE IF NOT EXISTS waybill_pause (
  scope     VARCHAR(128) NOT NULL,
  part      VARCHAR(255) NOT NULL,
  actor     VARCHAR(128) NOT NULL,
  reason    VARCHAR(512) NOT NULL,
  paused_at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (scope, part)
);
