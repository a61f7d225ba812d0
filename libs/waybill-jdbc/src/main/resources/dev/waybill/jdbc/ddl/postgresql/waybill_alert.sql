-- Which alerts are raised (step from 1) or were (step 0), for all replicas of an application together.
CREATE TABLE IF NOT EXISTS waybill_alert (
  scope        VARCHAR(128)  NOT NULL,
  alert_key    VARCHAR(255)  NOT NULL,
  rule_name    VARCHAR(128)  NOT NULL,
  step         INT           NOT NULL,
  detail       VARCHAR(1000) NOT NULL,
  raised_at    TIMESTAMPTZ NOT NULL,
  seen_at      TIMESTAMPTZ NOT NULL,
  cleared_at   TIMESTAMPTZ NULL,
  PRIMARY KEY (scope, alert_key)
);
