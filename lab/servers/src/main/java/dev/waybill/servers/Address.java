package dev.waybill.servers;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where a server listens and who may enter. A given address comes from the environment: such a server is used, never
 * controlled.
 */
record Address(String host, int port, String user, String password, String variable, boolean isGiven) {

    private static final String USUAL_PASSWORD = "waybill";
    private static final Pattern SCHEME = Pattern.compile("^(jdbc:)?[a-z]+://");
    private static final Map<Server, Integer> USUAL_PORTS = Map.of(
            Server.MARIADB, 3306,
            Server.MYSQL, 3306,
            Server.POSTGRESQL, 5432,
            Server.REDIS, 6379,
            Server.RABBITMQ, 5672,
            Server.ROCKETMQ, 9876);

    static Address onLoopback(Server server, int port, String password) {
        return new Address("127.0.0.1", port, "waybill", password, variable(server, "URL"), false);
    }

    static Optional<Address> given(Server server, Map<String, String> environment) {
        var variable = variable(server, "URL");
        var url = environment.getOrDefault(variable, "");
        if (url.isBlank()) {
            return Optional.empty();
        }
        var uri = URI.create("server://" + SCHEME.matcher(url).replaceFirst(""));
        if (uri.getHost() == null) {
            throw new ServerUnavailableException(variable + " names no host: " + url + ".");
        }
        var port = uri.getPort() < 0 ? USUAL_PORTS.getOrDefault(server, 0) : uri.getPort();
        var user = environment.getOrDefault(variable(server, "USER"), "waybill");
        // Redis may have no password. Nobody outside this checkout knows the private servers' one.
        var usual = server == Server.REDIS ? "" : USUAL_PASSWORD;
        var password = environment.getOrDefault(variable(server, "PASSWORD"), usual);
        return Optional.of(new Address(uri.getHost(), port, user, password, variable, true));
    }

    static String variable(Server server, String what) {
        return "WAYBILL_" + server.name() + "_" + what;
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
