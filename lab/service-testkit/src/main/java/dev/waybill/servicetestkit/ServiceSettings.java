package dev.waybill.servicetestkit;

import dev.waybill.servers.Database;
import dev.waybill.servers.MySql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Vhost;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** A service's settings by name; a later value replaces an earlier one. */
public final class ServiceSettings {

    private final Map<String, String> values = new LinkedHashMap<>();

    private ServiceSettings() {}

    public static ServiceSettings none() {
        return new ServiceSettings();
    }

    /** The default profile: everything inside the process, its data in this folder. */
    public static ServiceSettings embedded(Path folder) {
        return none().set("waybill.data-dir", folder);
    }

    /** The profile for real servers, on this database; callers are known by {@link BearerTokens#OF_TESTS}. */
    public static ServiceSettings onDatabase(Database database) {
        return none().set("spring.profiles.active", "real")
                .set(BearerTokens.SECRET_PROPERTY, BearerTokens.OF_TESTS.secret())
                .set("waybill.memory.file", "") // a test that wants the memory broker all the same gets an empty one
                .dataSource(database);
    }

    /** The same on MySQL, reached by MariaDB's driver. */
    public static ServiceSettings onMySql(MySql server, Database database) {
        return onDatabase(database)
                .set(
                        "spring.datasource.url",
                        "jdbc:mariadb://" + server.host() + ":" + server.port() + "/" + database.name()
                                + "?allowPublicKeyRetrieval=true");
    }

    public ServiceSettings dataSource(Database database) {
        return set("spring.datasource.url", database.jdbcUrl())
                .set("spring.datasource.username", database.user())
                .set("spring.datasource.password", database.password());
    }

    public ServiceSettings rabbitMq(RabbitMq server, Vhost vhost) {
        return set("spring.rabbitmq.host", server.host())
                .set("spring.rabbitmq.port", server.port())
                .set("spring.rabbitmq.virtual-host", vhost.name())
                .set("spring.rabbitmq.username", vhost.user())
                .set("spring.rabbitmq.password", vhost.password());
    }

    /** The guards' Redis, with a time-out that a busy machine keeps. */
    public ServiceSettings redis(String uri) {
        return set("waybill.guard.redis.uri", uri).set("waybill.guard.redis.timeout", "5s");
    }

    public ServiceSettings set(String name, Object value) {
        values.put(name, String.valueOf(value));
        return this;
    }

    /** Sets what is written as {@code name=value}. */
    public ServiceSettings change(String... assignments) {
        for (String each : assignments) {
            set(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
        }
        return this;
    }

    public ServiceSettings setAll(Map<String, ?> more) {
        more.forEach(this::set);
        return this;
    }

    public ServiceSettings copy() {
        return none().setAll(values);
    }

    public Map<String, String> values() {
        return Map.copyOf(values);
    }

    /** As arguments of a Spring application. */
    public String[] arguments() {
        return values.entrySet().stream()
                .map(each -> "--" + each.getKey() + "=" + each.getValue())
                .toArray(String[]::new);
    }
}
