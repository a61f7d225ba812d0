package dev.waybill.jdbc;

import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The databases that Waybill speaks to. */
public enum Dialect {
    /** MySQL 8.0 and later. */
    MYSQL(8, 0),
    /** MariaDB 10.6 and later. */
    MARIADB(10, 6),
    /** PostgreSQL 12 and later. */
    POSTGRESQL(12, 0),
    /** H2 2.2 and later. */
    H2(2, 2);

    private final int major;
    private final int minor;

    Dialect(int major, int minor) {
        this.major = major;
        this.minor = minor;
    }

    /** The name in folders and on command lines, such as {@code postgresql}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The dialect of this name.
     *
     * @throws IllegalArgumentException listing the names
     */
    public static Dialect named(String key) {
        for (Dialect dialect : values()) {
            if (dialect.key().equals(key)) {
                return dialect;
            }
        }
        throw new IllegalArgumentException("no dialect '" + key + "'; there are mysql, mariadb, postgresql, h2");
    }

    /**
     * Finds out what this connection leads to.
     *
     * @throws StoreException MISCONFIGURED for another product, or one that is too old
     */
    public static Dialect of(Connection connection) throws SQLException {
        DatabaseMetaData about = connection.getMetaData();
        String product = about.getDatabaseProductName();
        String version = about.getDatabaseProductVersion();
        Dialect dialect = of(product, version);
        if (dialect == null) {
            throw new StoreException(
                    StoreException.Reason.MISCONFIGURED,
                    "Waybill speaks MySQL 8.0+, MariaDB 10.6+, PostgreSQL 12+ and H2 2.2+; the DataSource leads to "
                            + product + " " + version,
                    null);
        }
        dialect.checkVersion(about, version);
        return dialect;
    }

    private static @Nullable Dialect of(String product, String version) {
        // a MariaDB server calls itself MySQL to MySQL's own driver
        if (product.equals("MariaDB") || version.contains("MariaDB")) {
            return MARIADB;
        }
        return switch (product) {
            case "MySQL" -> MYSQL;
            case "PostgreSQL" -> POSTGRESQL;
            case "H2" -> H2;
            default -> null;
        };
    }

    private void checkVersion(DatabaseMetaData about, String version) throws SQLException {
        int foundMajor = about.getDatabaseMajorVersion();
        int foundMinor = about.getDatabaseMinorVersion();
        boolean disguised = this == MARIADB && foundMajor == 5; // what MySQL's driver makes of MariaDB's greeting
        if (!disguised && (foundMajor < major || (foundMajor == major && foundMinor < minor))) {
            throw new StoreException(
                    StoreException.Reason.MISCONFIGURED,
                    "Waybill needs " + key() + " " + major + "." + minor + " or later for SKIP LOCKED; this is "
                            + version,
                    null);
        }
    }

    boolean isMySqlFamily() {
        return this == MYSQL || this == MARIADB;
    }

    /** The name so that the database takes it to the letter, whatever word it is. */
    String quote(String name) {
        return isMySqlFamily() ? "`" + name + "`" : "\"" + name + "\"";
    }
}
