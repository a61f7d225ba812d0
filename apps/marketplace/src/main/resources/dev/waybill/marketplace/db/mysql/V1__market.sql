-- MySQL and MariaDB. Times are in UTC.
CREATE TABLE products (
  id          BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY,
  seller_id   BIGINT        NOT NULL,
  title       VARCHAR(128)  NOT NULL,
  price       DECIMAL(12,2) NOT NULL,
  status      VARCHAR(16)   NOT NULL,
  create_time DATETIME(3)   NOT NULL,
  update_time DATETIME(3)   NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

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
  create_time   DATETIME(3)   NOT NULL,
  pay_time      DATETIME(3)   NULL,
  update_time   DATETIME(3)   NOT NULL,
  UNIQUE KEY uk_order_no (order_no),
  KEY idx_status_create (status, create_time),
  KEY idx_buyer_status (buyer_id, status),
  KEY idx_product (product_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

-- What the other tables say of products, for readers; follows by events.
CREATE TABLE inventory_projection (
  product_id  BIGINT      NOT NULL PRIMARY KEY,
  status      VARCHAR(16) NOT NULL,
  update_time DATETIME(3) NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

CREATE TABLE buyer_credit (
  buyer_id         BIGINT      NOT NULL PRIMARY KEY,
  cancelled_orders INT         NOT NULL,
  timeout_orders   INT         NOT NULL,
  score            INT         NOT NULL,
  recomputed       INT         NOT NULL,
  update_time      DATETIME(3) NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

CREATE TABLE fulfillments (
  order_id    BIGINT      NOT NULL PRIMARY KEY,
  event_id    VARCHAR(64) NOT NULL,
  status      VARCHAR(16) NOT NULL,
  create_time DATETIME(3) NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

CREATE TABLE notifications (
  id          BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id     BIGINT       NOT NULL,
  order_id    BIGINT       NOT NULL,
  event_id    VARCHAR(64)  NOT NULL,
  content     VARCHAR(255) NOT NULL,
  create_time DATETIME(3)  NOT NULL,
  UNIQUE KEY uk_event_user (event_id, user_id),
  KEY idx_user (user_id, id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;
