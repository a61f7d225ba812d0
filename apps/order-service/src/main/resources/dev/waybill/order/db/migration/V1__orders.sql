-- Times are in UTC, in columns without a zone. exact compares texts byte by byte, as H2 does anyway.
CREATE TABLE t_order (
  id                BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_no          VARCHAR(32)   ${exact} NOT NULL,
  user_id           BIGINT        NOT NULL,
  client_request_id VARCHAR(128)  ${exact} NOT NULL,
  status            VARCHAR(32)   NOT NULL,
  amount            DECIMAL(18,2) NOT NULL,
  version           INT           NOT NULL DEFAULT 0,
  deleted           TINYINT       NOT NULL DEFAULT 0,
  created_at        ${utcTime}   NOT NULL,
  updated_at        ${utcTime}   NOT NULL,
  CONSTRAINT uk_order_no UNIQUE (order_no),
  CONSTRAINT uk_user_client_request UNIQUE (user_id, client_request_id)
) ${tableOptions};
CREATE INDEX idx_user ON t_order (user_id, deleted, id);
-- Finds the orders that have waited longest for their stock answer.
CREATE INDEX idx_status_created ON t_order (status, deleted, created_at);

CREATE TABLE t_order_item (
  id           BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_no     VARCHAR(32)   ${exact} NOT NULL,
  line_no      INT           NOT NULL,
  sku_id       VARCHAR(64)   ${exact} NOT NULL,
  warehouse_id BIGINT        NOT NULL,
  quantity     INT           NOT NULL,
  price        DECIMAL(12,2) NOT NULL,
  CONSTRAINT uk_order_line UNIQUE (order_no, line_no)
) ${tableOptions};

-- event_time is when the event happened, by the clock of the service that published it; created_at is when this row was written.
CREATE TABLE t_order_state_flow (
  id             BIGINT      NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_no       VARCHAR(32) ${exact} NOT NULL,
  from_status    VARCHAR(32) NULL,
  to_status      VARCHAR(32) NOT NULL,
  event          VARCHAR(32) NOT NULL,
  event_id       VARCHAR(64) NOT NULL,
  event_time     ${utcTime} NOT NULL,
  ignored_reason VARCHAR(64) NULL,
  trace_id       VARCHAR(64) NULL,
  created_at     ${utcTime} NOT NULL
) ${tableOptions};
CREATE INDEX idx_order_no ON t_order_state_flow (order_no);
