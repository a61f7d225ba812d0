/**
 * The stores over {@code java.sql}: table mappings, the SQL of four databases, the shipped DDL, plain-Java transactions.
 *
 * <p>A file's name begins with its role: {@code Outbox}, {@code Claim}, {@code Inbox}, {@code DeadLetter} and {@code Operator}
 * for the tables' verbs, {@code Archive} for rows that were archived, {@code Sql} for statements and their parts,
 * {@code MySql}, {@code PostgreSql}, {@code H2} and {@code Dialect} for what differs between databases, {@code Ddl} for the
 * shipped tables, {@code Jdbc} for the public stores and transactions.
 *
 * <p>Rule: every time is the database's, every write of the relay is guarded by its fence, every statement is a constant
 * named after its verb.
 */
@NullMarked
package dev.waybill.jdbc;

import org.jspecify.annotations.NullMarked;
