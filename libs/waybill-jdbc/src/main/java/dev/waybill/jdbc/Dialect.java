package dev.waybill.jdbc;

import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The databases that Waybill knows. */
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
        // over MySQL's driver a MariaDB server has the product name MySQL, and only its version says MariaDB
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
        boolean unknown = this == MARIADB && foundMajor == 5; // MySQL's driver reads 5.5 from every MariaDB server
        if (!unknown && (foundMajor < major || (foundMajor == major && foundMinor < minor))) {
            throw new StoreException(
                    StoreException.Reason.MISCONFIGURED,
                    "Waybill needs " + key() + " " + major + "." + minor + " or later for SKIP LOCKED; this is "
                            + version,
                    null);
        }
    }

    /** The family whose DDL this database takes: MariaDB takes MySQL's to the letter. */
    String ddlFamily() {
        return (isMySqlFamily() ? MYSQL : this).key();
    }

    boolean isMySqlFamily() {
        return this == MYSQL || this == MARIADB;
    }

    /** The name in quotes, so that it may be a reserved word and keeps its upper and lower case. */
    String quote(String name) {
        return isMySqlFamily() ? "`" + name + "`" : "\"" + name + "\"";
    }
}
