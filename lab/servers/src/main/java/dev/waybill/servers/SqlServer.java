package dev.waybill.servers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A database server. The caller brings the JDBC driver. */
public abstract sealed class SqlServer extends ServerHandle permits MySqlProtocolServer, PostgreSql {

    private final Queue<String> created = new ConcurrentLinkedQueue<>();

    SqlServer(Checkout checkout, Server server, Address address) {
        super(checkout, server, address);
    }

    /** The URL of a database on this server, reached directly. */
    public final String jdbcUrl(String database) {
        return jdbcUrl(host(), port(), database);
    }

    /** The same through another address, such as a {@link FaultProxy}'s. */
    public abstract String jdbcUrl(String host, int port, String database);

    /** An empty database under a name nobody else uses. */
    public final Database freshDatabase() {
        var name = "t_" + UUID.randomUUID().toString().replace("-", "").substring(0, 16);
        execute("CREATE DATABASE " + name);
        created.add(name);
        return new Database(name, jdbcUrl(name), user(), password());
    }

    /** A connection with every right, to the database that always exists. */
    public final Connection adminConnection() {
        try {
            return DriverManager.getConnection(jdbcUrl(adminDatabase()), user(), password());
        } catch (SQLException refused) {
            throw new ServerUnavailableException(
                    server().title() + " at " + address() + " gave no connection: " + refused.getMessage(), refused);
        }
    }

    abstract String adminDatabase();

    abstract String dropStatement(String database);

    @Override
    final void removeLeftovers() {
        for (var name = created.poll(); name != null; name = created.poll()) {
            execute(dropStatement(name));
        }
    }

    private void execute(String sql) {
        try (var connection = adminConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException refused) {
            throw new ServerUnavailableException(
                    server().title() + " refused '" + sql + "': " + refused.getMessage(), refused);
        }
    }
}
