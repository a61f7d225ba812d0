package dev.waybill.servers;

/** A database of the test class's own; it is dropped after the class. */
public record Database(String name, String jdbcUrl, String user, String password) {}
