package dev.waybill.contender;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.Properties;

/**
 * What a contender is given: its own database, the place at the broker where its events have to arrive, and its settings.
 *
 * @param broker an AMQP URI, or RocketMQ's name server
 * @param exchange RabbitMQ's exchange or RocketMQ's topic
 * @param key RabbitMQ's routing key or RocketMQ's tag
 * @param settings what the contender's settings file says
 */
public record ContenderConfig(
        String jdbcUrl, String user, String password, String broker, String exchange, String key, Properties settings) {

    /** Eight producers and the relay's own; the same for everybody. */
    private static final int CONNECTIONS = 20;

    static ContenderConfig of(Properties all) {
        return new ContenderConfig(
                text(all, "connect.jdbc-url"),
                text(all, "connect.user"),
                text(all, "connect.password"),
                text(all, "connect.broker"),
                text(all, "connect.exchange"),
                text(all, "connect.key"),
                all);
    }

    public boolean isPostgreSql() {
        return jdbcUrl.startsWith("jdbc:postgresql:");
    }

    public int number(String setting) {
        return Integer.parseInt(text(settings, setting));
    }

    public String text(String setting) {
        return text(settings, setting);
    }

    public HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(CONNECTIONS);
        String isolation = settings.getProperty("isolation");
        if (isolation != null) {
            config.setTransactionIsolation(isolation);
        }
        return new HikariDataSource(config);
    }

    private static String text(Properties all, String name) {
        String value = all.getProperty(name);
        if (value == null) {
            throw new IllegalArgumentException("the setting " + name + " is missing");
        }
        return value;
    }
}
