-- Jobs: decisions of operators that take long. Whoever holds the lease works on one; the fence keeps a former holder from writing.
CREATE TABLE IF NOT EXISTS waybill_job (
  id          BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  scope       VARCHAR(128)  NOT NULL,
  kind        VARCHAR(32)   NOT NULL,
  terms       VARCHAR(255)  NOT NULL,
  per_second  INT           NOT NULL,
  actor       VARCHAR(128)  NOT NULL,
  reason      VARCHAR(512)  NOT NULL,
  state       VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  total       BIGINT        NOT NULL,
  done        BIGINT        NOT NULL,
  refused     BIGINT        NOT NULL,
  note        VARCHAR(2000) NULL,
  fence       BIGINT        NOT NULL,
  lease_until DATETIME(6)   NOT NULL,
  created_at  DATETIME(6)   NOT NULL,
  changed_at  DATETIME(6)   NOT NULL,
  KEY idx_job_lease (state, lease_until)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;
-- What a job works off, one by one.
CREATE TABLE IF NOT EXISTS waybill_job_item (
  job_id  BIGINT        NOT NULL,
  item_no BIGINT        NOT NULL,
  subject VARCHAR(128)  NOT NULL,
  state   VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  refusal VARCHAR(2000) NULL,
  PRIMARY KEY (job_id, item_no),
  KEY idx_job_item_state (job_id, state, item_no)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;
