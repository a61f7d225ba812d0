package dev.waybill.servers;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;

/**
 * One server: where it is, and what a test may do to it. Every method that changes its state returns when the change can
 * be observed from outside: after {@link #stop()} and {@link #kill()} the process has ended, after {@link #start()},
 * {@link #restart()} and {@link #resume()} the server has answered a request in its own protocol.
 *
 * <p>A server whose address comes from the environment is used but not controlled: those methods then throw
 * {@link ServerUnavailableException}.
 */
public abstract sealed class ServerHandle permits SqlServer, Redis, RabbitMq, RocketMq {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Checkout checkout;
    private final Server server;
    private final Address address;
    private volatile boolean disturbed;

    ServerHandle(Checkout checkout, Server server, Address address) {
        this.checkout = checkout;
        this.server = server;
        this.address = address;
    }

    public final Server server() {
        return server;
    }

    public final String host() {
        return address.host();
    }

    public final int port() {
        return address.port();
    }

    public String user() {
        return address.user();
    }

    public String password() {
        return address.password();
    }

    /** Graceful: clients see an orderly end. */
    public final void stop() {
        control("down");
    }

    /** SIGKILL: nothing is flushed, nobody is told. */
    public final void kill() {
        control("kill");
    }

    /** SIGSTOP: connections stay open and nothing answers. */
    public final void pause() {
        control("pause");
    }

    public final void resume() {
        control("resume");
        awaitAnswer();
        disturbed = false;
    }

    /** Starts it if it is not there, resumes it if it is paused. */
    public final void start() {
        control("up");
        awaitAnswer();
        disturbed = false;
    }

    public final void restart() {
        stop();
        start();
    }

    /** One request in the server's own protocol; false if there is no proper answer within a second. */
    public abstract boolean answers();

    /** Removes what tests created through this handle. */
    abstract void removeLeftovers();

    final void restore() {
        if (disturbed) {
            start();
        }
    }

    final void awaitAnswer() {
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!answers()) {
            if (System.nanoTime() > deadline) {
                throw new ServerUnavailableException(server.title() + " was started but does not answer at " + address
                        + " after " + PATIENCE.toSeconds() + " s.");
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    /** Its main process; empty for one that is not ours. */
    final OptionalLong pid() {
        return address.isGiven() ? OptionalLong.empty() : checkout.pid(server);
    }

    final Address address() {
        return address;
    }

    final Checkout checkout() {
        return checkout;
    }

    final void refuseIfGiven(String what) {
        if (address.isGiven()) {
            throw new ServerUnavailableException(server.title() + " at " + address + " comes from " + address.variable()
                    + " and is not ours, so a test cannot " + what + " it; unset the variable.");
        }
    }

    private void control(String verb) {
        refuseIfGiven(verb.equals("up") ? "start" : verb.equals("down") ? "stop" : verb);
        disturbed = true;
        checkout.services(verb, server);
    }
}
