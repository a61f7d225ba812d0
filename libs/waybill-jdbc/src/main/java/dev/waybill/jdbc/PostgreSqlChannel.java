package dev.waybill.jdbc;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The notification channel of an outbox table. Everybody who uses the table finds the same name, however their mapping spells
 * the table, because the database says in which schema it is.
 */
final class PostgreSqlChannel {

    private static final String LOCATE = """
            SELECT n.nspname || '.' || c.relname FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass(:name)""";

    /** The channel's name stands in statements as a literal and as an identifier, so it has nothing that needs quoting. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.]+");

    private static final String PREFIX = "waybill.";
    private static final int LONGEST = 63;
    private static final int HASH = 32;

    private PostgreSqlChannel() {}

    static String of(Connection connection, OutboxTable table) throws SQLException {
        String qualified = table.shape().qualified(Dialect.POSTGRESQL);
        List<String> found = new SqlCall(LOCATE).set("name", qualified).query(connection, row -> row.getString(1));
        return named(found.isEmpty() ? table.name() : found.get(0));
    }

    /** PostgreSQL takes 63 bytes; a longer name is a digest. */
    static String named(String table) {
        String name = PREFIX + table;
        return name.length() <= LONGEST && PLAIN.matcher(table).matches() ? name : PREFIX + digest(table);
    }

    private static String digest(String table) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(table.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, HASH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JVM has it
        }
    }
}
