package dev.waybill.starter.inbox;

import javax.sql.DataSource;

/** The DataSource that the inbox table is in, without its proxy. */
record InboxDataSource(DataSource dataSource) {}
