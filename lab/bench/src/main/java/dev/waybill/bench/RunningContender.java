package dev.waybill.bench;

import dev.waybill.servers.CpuMeter;
import dev.waybill.servers.Database;
import dev.waybill.servers.ServerHandle;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;

/** A contender in one environment: its process, its database, its receiving queue, and the next event's number. */
final class RunningContender implements AutoCloseable {

    private static final Duration LONG = Duration.ofMinutes(30);

    private final ContenderSettings contender;
    private final Environment environment;
    private final Database database;
    private final ReceivingQueue queue;
    private final ServerHandle[] servers;
    private final ContenderProcess process;
    private long next = 1;

    RunningContender(
            ContenderSettings contender,
            Environment environment,
            Database database,
            ReceivingQueue queue,
            ServerHandle... servers) {
        this.contender = contender;
        this.environment = environment;
        this.database = database;
        this.queue = queue;
        this.servers = servers;
        this.process = start();
    }

    private ContenderProcess start() {
        try {
            return new ContenderProcess(contender, config(contender, database, queue));
        } catch (NotAResultException e) {
            queue.close();
            throw e;
        }
    }

    static Properties config(ContenderSettings contender, Database database, ReceivingQueue queue) {
        Properties config = new Properties();
        contender.overrides().forEach(config::setProperty);
        config.setProperty("connect.jdbc-url", database.jdbcUrl());
        config.setProperty("connect.user", database.user());
        config.setProperty("connect.password", database.password());
        config.setProperty("connect.broker", queue.broker());
        config.setProperty("connect.exchange", queue.exchange());
        config.setProperty("connect.key", queue.key());
        return config;
    }

    ContenderSettings contender() {
        return contender;
    }

    Environment environment() {
        return environment;
    }

    Database database() {
        return database;
    }

    ReceivingQueue queue() {
        return queue;
    }

    /** The process, the database, the broker. */
    CpuMeter meter() {
        return CpuMeter.of(process.pid(), servers);
    }

    Map<String, String> ask(String command) {
        return process.ask(command, LONG);
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
        process.close();
        queue.close();
    }
}
