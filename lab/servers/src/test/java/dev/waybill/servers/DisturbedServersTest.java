package dev.waybill.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ConnectException;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("kill")
@Servers
class DisturbedServersTest {

    @ParameterizedTest
    @EnumSource
    void everyServerSurvivesAKill(Server server) {
        try (var servers = PrivateServers.open()) {
            var handle = handle(servers, server);
            handle.kill();
            assertThatThrownBy(() -> Wire.connect(handle.host(), handle.port())).isInstanceOf(ConnectException.class);
            handle.start();
            assertThat(handle.answers()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPausedServerKeepsItsPortButDoesNotAnswerUntilResumed(Server server) {
        try (var servers = PrivateServers.open()) {
            var handle = handle(servers, server);
            handle.pause();
            assertThat(handle.answers()).isFalse();
            handle.resume();
            assertThat(handle.answers()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatATestLeavesStoppedComesBackWithTheClose(Server server) {
        try (var servers = PrivateServers.open()) {
            var handle = handle(servers, server);
            handle.stop();
            assertThat(handle.answers()).isFalse();
        }
        try (var servers = PrivateServers.open()) {
            assertThat(handle(servers, server).answers()).isTrue();
        }
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
