package dev.waybill.servers;

import java.io.IOException;

/** MySQL 8; the user has every right. */
public final class MySql extends SqlServer {

    MySql(Checkout checkout, Address address) {
        super(checkout, Server.MYSQL, address);
    }

    @Override
    public String jdbcUrl(String host, int port, String database) {
        return "jdbc:mysql://" + host + ":" + port + "/" + database + "?allowPublicKeyRetrieval=true&sslMode=DISABLED";
    }

    /** The server greets first: a protocol 10 handshake, not an error packet. */
    @Override
    public boolean answers() {
        try {
            var greeting = Wire.ask(host(), port(), new byte[0], 5);
            return greeting.length == 5 && greeting[4] == 10;
        } catch (IOException refused) {
            return false;
        }
    }

    @Override
    String adminDatabase() {
        return "mysql";
    }

    @Override
    String dropStatement(String database) {
        return "DROP DATABASE IF EXISTS " + database;
    }
}
