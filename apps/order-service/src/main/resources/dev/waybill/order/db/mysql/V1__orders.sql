-- MySQL 8 and MariaDB. Times are in UTC.
CREATE TABLE t_order (
  id                BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_no          VARCHAR(32)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  user_id           BIGINT        NOT NULL,
  client_request_id VARCHAR(128)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  status            VARCHAR(32)   NOT NULL,
  amount            DECIMAL(18,2) NOT NULL,
  version           INT           NOT NULL DEFAULT 0,
  deleted           TINYINT       NOT NULL DEFAULT 0,
  created_at        DATETIME(3)   NOT NULL,
  updated_at        DATETIME(3)   NOT NULL,
  UNIQUE KEY uk_order_no (order_no),
  UNIQUE KEY uk_user_client_request (user_id, client_request_id),
  KEY idx_user (user_id, deleted, id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

CREATE TABLE t_order_item (
  id           BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_no     VARCHAR(32)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  line_no      INT           NOT NULL,
  sku_id       VARCHAR(64)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  warehouse_id BIGINT        NOT NULL,
  quantity     INT           NOT NULL,
  price        DECIMAL(12,2) NOT NULL,
  UNIQUE KEY uk_order_line (order_no, line_no)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

CREATE TABLE t_order_state_flow (
  id             BIGINT      NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_no       VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  from_status    VARCHAR(32) NULL,
  to_status      VARCHAR(32) NOT NULL,
  event          VARCHAR(32) NOT NULL,
  event_id       VARCHAR(64) NULL,
  ignored_reason VARCHAR(64) NULL,
  trace_id       VARCHAR(64) NULL,
  created_at     DATETIME(3) NOT NULL,
  KEY idx_order_no (order_no)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;
