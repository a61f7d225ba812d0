package dev.waybill.servers;

/** MySQL 8; the user has every right. */
public final class MySql extends MySqlProtocolServer {

    MySql(Checkout checkout, Address address) {
        super(checkout, Server.MYSQL, address);
    }

    @Override
    public String jdbcUrl(String host, int port, String database) {
        return "jdbc:mysql://" + host + ":" + port + "/" + database + "?allowPublicKeyRetrieval=true&sslMode=DISABLED";
    }
}
