package dev.waybill.starter.inbox;

import javax.sql.DataSource;

/** The DataSource that holds the inbox table, without a transaction-aware proxy. */
record InboxDataSource(DataSource dataSource) {}
