-- H2, MySQL and MariaDB. Times are in UTC, in a type without a zone.
CREATE TABLE products (
  id          BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY,
  seller_id   BIGINT        NOT NULL,
  title       VARCHAR(256)  NOT NULL, -- up to 128 characters, of which H2 counts an emoji as two
  price       DECIMAL(12,2) NOT NULL,
  status      VARCHAR(16)   NOT NULL,
  create_time ${time}   NOT NULL,
  update_time ${time}   NOT NULL
) ${tableOptions};

CREATE TABLE orders (
  id            BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_no      VARCHAR(18)   NOT NULL,
  buyer_id      BIGINT        NOT NULL,
  seller_id     BIGINT        NOT NULL,
  product_id    BIGINT        NOT NULL,
  quantity      INT           NOT NULL,
  price         DECIMAL(12,2) NOT NULL,
  total_amount  DECIMAL(12,2) NOT NULL,
  status        VARCHAR(16)   NOT NULL,
  cancel_reason VARCHAR(32)   NULL,
  create_time   ${time}   NOT NULL,
  pay_time      ${time}   NULL,
  update_time   ${time}   NOT NULL,
  CONSTRAINT uk_order_no UNIQUE (order_no)
) ${tableOptions};
CREATE INDEX idx_orders_status_create ON orders (status, create_time);
CREATE INDEX idx_orders_buyer_status ON orders (buyer_id, status);
CREATE INDEX idx_orders_product ON orders (product_id);

-- Which order a buyer's idempotency key made.
CREATE TABLE order_requests (
  buyer_id        BIGINT       NOT NULL,
  idempotency_key VARCHAR(128) NOT NULL,
  order_id        BIGINT       NOT NULL,
  create_time     ${time}  NOT NULL,
  PRIMARY KEY (buyer_id, idempotency_key)
) ${tableOptions};

-- What the other tables say of products, for readers; follows by events.
CREATE TABLE inventory_projection (
  product_id  BIGINT      NOT NULL PRIMARY KEY,
  status      VARCHAR(16) NOT NULL,
  update_time ${time} NOT NULL
) ${tableOptions};

CREATE TABLE buyer_credit (
  buyer_id         BIGINT      NOT NULL PRIMARY KEY,
  cancelled_orders INT         NOT NULL,
  timeout_orders   INT         NOT NULL,
  score            INT         NOT NULL,
  recomputed       INT         NOT NULL,
  update_time      ${time} NOT NULL
) ${tableOptions};

CREATE TABLE fulfillments (
  order_id    BIGINT      NOT NULL PRIMARY KEY,
  event_id    VARCHAR(64) NOT NULL,
  status      VARCHAR(16) NOT NULL,
  create_time ${time} NOT NULL
) ${tableOptions};

CREATE TABLE notifications (
  id          BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id     BIGINT       NOT NULL,
  order_id    BIGINT       NOT NULL,
  event_id    VARCHAR(64)  NOT NULL,
  content     VARCHAR(255) NOT NULL,
  create_time ${time}  NOT NULL,
  CONSTRAINT uk_notification_event_user UNIQUE (event_id, user_id)
) ${tableOptions};
CREATE INDEX idx_notifications_user ON notifications (user_id, id);
