package dev.waybill.starter.inbox;

import javax.sql.DataSource;

/** The DataSource that holds the inbox table, without a transaction-aware proxy. */
public record InboxDataSource(DataSource dataSource) {}
