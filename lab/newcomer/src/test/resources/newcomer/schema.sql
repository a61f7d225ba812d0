CREATE TABLE orders (order_no VARCHAR(32) PRIMARY KEY);
CREATE TABLE invoices (order_no VARCHAR(32));
