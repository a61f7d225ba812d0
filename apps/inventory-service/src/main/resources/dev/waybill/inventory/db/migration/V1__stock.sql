-- Times are UTC, written by the service. Stock is counted by warehouse and SKU. version grows with every change: the gate tells
-- earlier from later by it. The reconciler finds what changed by updated_at.
CREATE TABLE t_inventory (
  warehouse_id BIGINT      NOT NULL,
  sku_id       VARCHAR(64) NOT NULL,
  available    BIGINT      NOT NULL,
  reserved     BIGINT      NOT NULL,
  version      BIGINT      NOT NULL,
  created_at   ${utcTime} NOT NULL,
  updated_at   ${utcTime} NOT NULL,
  PRIMARY KEY (warehouse_id, sku_id),
  CONSTRAINT ck_inventory_available CHECK (available >= 0),
  CONSTRAINT ck_inventory_reserved CHECK (reserved >= 0)
) ${tableOptions};

CREATE INDEX idx_inventory_updated_at ON t_inventory (updated_at);

-- One row per order, also for one that failed or was cancelled before it was heard of.
CREATE TABLE t_inventory_reservation (
  id         BIGINT      NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_no   VARCHAR(64) NOT NULL,
  status     VARCHAR(16) NOT NULL,
  version    INT         NOT NULL DEFAULT 0,
  trace_id   VARCHAR(64) NULL,
  created_at ${utcTime} NOT NULL,
  updated_at ${utcTime} NOT NULL,
  CONSTRAINT uk_reservation_order_no UNIQUE (order_no)
) ${tableOptions};

CREATE TABLE t_inventory_reservation_item (
  order_no     VARCHAR(64) NOT NULL,
  warehouse_id BIGINT      NOT NULL,
  sku_id       VARCHAR(64) NOT NULL,
  quantity     BIGINT      NOT NULL,
  PRIMARY KEY (order_no, warehouse_id, sku_id)
) ${tableOptions};

-- Every movement of stock, once: biz_key is the order's number, or the key of a receipt.
CREATE TABLE t_inventory_txn (
  id              BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  txn_type        VARCHAR(16)  NOT NULL,
  biz_key         VARCHAR(128) NOT NULL,
  warehouse_id    BIGINT       NOT NULL,
  sku_id          VARCHAR(64)  NOT NULL,
  quantity        BIGINT       NOT NULL,
  available_after BIGINT       NOT NULL,
  reserved_after  BIGINT       NOT NULL,
  trace_id        VARCHAR(64)  NULL,
  created_at      ${utcTime} NOT NULL,
  CONSTRAINT uk_txn UNIQUE (txn_type, biz_key, warehouse_id, sku_id)
) ${tableOptions};

CREATE TABLE t_inventory_state_flow (
  id             BIGINT      NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_no       VARCHAR(64) NOT NULL,
  from_status    VARCHAR(16) NULL,
  to_status      VARCHAR(16) NOT NULL,
  event          VARCHAR(64) NOT NULL,
  event_id       VARCHAR(64) NOT NULL,
  ignored_reason VARCHAR(64) NULL,
  trace_id       VARCHAR(64) NULL,
  created_at     ${utcTime} NOT NULL
) ${tableOptions};

CREATE INDEX idx_inventory_flow_order ON t_inventory_state_flow (order_no);
