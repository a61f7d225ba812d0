/**
 * The stores over {@code java.sql}: table mappings, the SQL of four databases, the shipped DDL, plain-Java transactions.
 *
 * <p>Rule: every time is the database's, every write of the relay is guarded by its fence, every statement is a constant
 * named after its verb.
 */
@NullMarked
package dev.waybill.jdbc;

import org.jspecify.annotations.NullMarked;
