package dev.waybill.servers;

/** MariaDB; the user has every right. */
public final class MariaDb extends MySqlProtocolServer {

    MariaDb(Checkout checkout, Address address) {
        super(checkout, Server.MARIADB, address);
    }

    @Override
    public String jdbcUrl(String host, int port, String database) {
        return "jdbc:mariadb://" + host + ":" + port + "/" + database;
    }
}
