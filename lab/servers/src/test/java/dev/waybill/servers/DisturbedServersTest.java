package dev.waybill.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ConnectException;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers don't know of each other, so all six are disturbed at once: a broker takes its time to come back. */
@Tag("kill")
@Servers
class DisturbedServersTest {

    @Test
    void everyServerSurvivesAKill() {
        onEveryServerAtOnce(server -> {
            try (var servers = PrivateServers.open()) {
                var handle = handle(servers, server);
                handle.kill();
                assertThatThrownBy(() -> TcpExchange.connect(handle.host(), handle.port()))
                        .isInstanceOf(ConnectException.class);
                handle.start();
                assertThat(handle.answers()).isTrue();
            }
        });
    }

    @Test
    void aPausedServerKeepsItsPortButDoesNotAnswerUntilResumed() {
        onEveryServerAtOnce(server -> {
            try (var servers = PrivateServers.open()) {
                var handle = handle(servers, server);
                handle.pause();
                assertThat(handle.answers()).isFalse();
                handle.resume();
                assertThat(handle.answers()).isTrue();
            }
        });
    }

    @Test
    void whatATestLeavesStoppedComesBackWithTheClose() {
        onEveryServerAtOnce(server -> {
            try (var servers = PrivateServers.open()) {
                var handle = handle(servers, server);
                handle.stop();
                assertThat(handle.answers()).isFalse();
            }
            try (var servers = PrivateServers.open()) {
                assertThat(handle(servers, server).answers()).isTrue();
            }
        });
    }

    @Test
    void aDatabaseIsDroppedAlthoughItsServerWasLeftPaused() throws SQLException {
        String name;
        try (var servers = PrivateServers.open()) {
            name = servers.mariaDb().freshDatabase().name();
            servers.mariaDb().pause();
        }
        try (var servers = PrivateServers.open();
                var connection = servers.mariaDb().adminConnection();
                var statement = connection.prepareStatement("SHOW DATABASES LIKE '" + name + "'");
                var rows = statement.executeQuery()) {
            assertThat(rows.next()).isFalse();
        }
    }

    private static void onEveryServerAtOnce(Consumer<Server> check) {
        var threads = Executors.newCachedThreadPool();
        try {
            var checks = new EnumMap<Server, Future<?>>(Server.class);
            for (Server server : Server.values()) {
                checks.put(server, threads.submit(() -> check.accept(server)));
            }
            var failures = new SoftAssertions();
            checks.forEach((server, result) -> failures.assertThatCode(() -> result.get(3, TimeUnit.MINUTES))
                    .as(server.title())
                    .doesNotThrowAnyException());
            failures.assertAll();
        } finally {
            threads.shutdownNow();
        }
    }

    private static ServerHandle handle(PrivateServers servers, Server server) {
        return switch (server) {
            case MARIADB -> servers.mariaDb();
            case MYSQL -> servers.mySql();
            case POSTGRESQL -> servers.postgreSql();
            case REDIS -> servers.redis();
            case RABBITMQ -> servers.rabbitMq();
            case ROCKETMQ -> servers.rocketMq();
        };
    }
}
