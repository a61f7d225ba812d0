package dev.waybill.bench;

import dev.waybill.servers.CpuMeter;
import dev.waybill.servers.Database;
import dev.waybill.servers.ServerHandle;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;

/** One contender at work on one ground: its process, its database, its mailbox, and the next event's number. */
final class Lane implements AutoCloseable {

    private static final Duration LONG = Duration.ofMinutes(30);

    private final Entrant entrant;
    private final Ground ground;
    private final Database database;
    private final Mailbox mailbox;
    private final ServerHandle[] servers;
    private final Runner runner;
    private long next = 1;

    Lane(Entrant entrant, Ground ground, Database database, Mailbox mailbox, ServerHandle... servers) {
        this.entrant = entrant;
        this.ground = ground;
        this.database = database;
        this.mailbox = mailbox;
        this.servers = servers;
        this.runner = start();
    }

    private Runner start() {
        try {
            return new Runner(entrant, venue(entrant, database, mailbox));
        } catch (NotAResultException e) {
            mailbox.close();
            throw e;
        }
    }

    static Properties venue(Entrant entrant, Database database, Mailbox mailbox) {
        Properties venue = new Properties();
        entrant.overrides().forEach(venue::setProperty);
        venue.setProperty("venue.jdbc-url", database.jdbcUrl());
        venue.setProperty("venue.user", database.user());
        venue.setProperty("venue.password", database.password());
        venue.setProperty("venue.broker", mailbox.broker());
        venue.setProperty("venue.exchange", mailbox.exchange());
        venue.setProperty("venue.key", mailbox.key());
        return venue;
    }

    Entrant entrant() {
        return entrant;
    }

    Ground ground() {
        return ground;
    }

    Database database() {
        return database;
    }

    Mailbox mailbox() {
        return mailbox;
    }

    /** The process, the database, the broker. */
    CpuMeter meter() {
        return CpuMeter.of(runner.pid(), servers);
    }

    Map<String, String> ask(String command) {
        return runner.ask(command, LONG);
    }

    double number(String command, String name) {
        return Double.parseDouble(ask(command).getOrDefault(name, "NaN"));
    }

    /** How long the process's compilers have worked so far. */
    double compiledSeconds() {
        return number("compiled", "seconds");
    }

    /** Reserves numbers and returns the first. */
    long take(long count) {
        long first = next;
        next += count;
        return first;
    }

    @Override
    public void close() {
        runner.close();
        mailbox.close();
    }
}
