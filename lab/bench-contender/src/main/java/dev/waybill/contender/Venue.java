package dev.waybill.contender;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.Properties;

/**
 * Where a contender works: its own database, and the place at the broker where its events have to arrive.
 *
 * @param broker an AMQP URI, or RocketMQ's name server
 * @param exchange RabbitMQ's exchange or RocketMQ's topic
 * @param key RabbitMQ's routing key or RocketMQ's tag
 * @param settings what the contender's settings file says
 */
public record Venue(
        String jdbcUrl, String user, String password, String broker, String exchange, String key, Properties settings) {

    /** Eight producers and the relay's own; the same for everybody. */
    private static final int CONNECTIONS = 20;

    static Venue of(Properties all) {
        return new Venue(
                text(all, "venue.jdbc-url"),
                text(all, "venue.user"),
                text(all, "venue.password"),
                text(all, "venue.broker"),
                text(all, "venue.exchange"),
                text(all, "venue.key"),
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
