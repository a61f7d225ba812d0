package dev.waybill.servers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** PostgreSQL with pg_stat_statements, in every database; the user is a superuser. */
public final class PostgreSql extends SqlServer {

    private static final int PROTOCOL_3 = 196608;

    PostgreSql(Checkout checkout, Address address) {
        super(checkout, Server.POSTGRESQL, address);
    }

    @Override
    public String jdbcUrl(String host, int port, String database) {
        return "jdbc:postgresql://" + host + ":" + port + "/" + database;
    }

    /** The port opens before recovery ends; only an authentication request ('R') means that it takes work. */
    @Override
    public boolean answers() {
        var parameters =
                ("user\0" + user() + "\0database\0" + adminDatabase() + "\0\0").getBytes(StandardCharsets.US_ASCII);
        var request = ByteBuffer.allocate(8 + parameters.length)
                .putInt(8 + parameters.length)
                .putInt(PROTOCOL_3)
                .put(parameters);
        try {
            var answer = TcpExchange.ask(host(), port(), request.array(), 1);
            return answer.length == 1 && answer[0] == 'R';
        } catch (IOException refused) {
            return false;
        }
    }

    @Override
    String adminDatabase() {
        return "postgres";
    }

    @Override
    String dropStatement(String database) {
        return "DROP DATABASE IF EXISTS " + database + " WITH (FORCE)";
    }
}
