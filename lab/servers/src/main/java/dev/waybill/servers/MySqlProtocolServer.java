package dev.waybill.servers;

import java.io.IOException;

/** What MySQL and MariaDB have in common. */
public abstract sealed class MySqlProtocolServer extends SqlServer permits MariaDb, MySql {

    MySqlProtocolServer(Checkout checkout, Server server, Address address) {
        super(checkout, server, address);
    }

    /** The server speaks first: a protocol 10 handshake when it takes connections, else an error packet. */
    @Override
    public final boolean answers() {
        try {
            var greeting = TcpExchange.ask(host(), port(), new byte[0], 5);
            return greeting.length == 5 && greeting[4] == 10;
        } catch (IOException refused) {
            return false;
        }
    }

    @Override
    final String adminDatabase() {
        return "mysql";
    }

    @Override
    final String dropStatement(String database) {
        return "DROP DATABASE IF EXISTS " + database;
    }
}
