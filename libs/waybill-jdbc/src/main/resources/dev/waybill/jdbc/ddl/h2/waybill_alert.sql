-- Which alerts are raised (step from 1) or were (step 0), for all replicas of an application together.
CREATE TABLE IF NOT EXISTS waybill_alert (
  scope        VARCHAR(128)  NOT NULL,
  alert_key    VARCHAR(255)  NOT NULL,
  rule_name    VARCHAR(128)  NOT NULL,
  step         INT           NOT NULL,
  detail       VARCHAR(1000) NOT NULL,
  raised_at    TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  seen_at      TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  cleared_at   TIMESTAMP(6) WITH TIME ZONE NULL,
  PRIMARY KEY (scope, alert_key)
);
