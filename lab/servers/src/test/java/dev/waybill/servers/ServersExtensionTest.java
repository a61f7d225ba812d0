package dev.waybill.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@Servers({Server.REDIS, Server.MARIADB})
class ServersExtensionTest {

    private static MariaDb injected;

    @BeforeAll
    static void inject(MariaDb mariaDb) {
        injected = mariaDb;
    }

    @Test
    void serversThatAreUpCostNextToNothing() {
        // The best of five, because a busy machine says nothing about the cost.
        var best = IntStream.range(0, 5).mapToLong(i -> millisToAcquireAll()).min();
        assertThat(best.orElseThrow()).isLessThan(100);
    }

    private static long millisToAcquireAll() {
        var start = System.nanoTime();
        try (var servers = PrivateServers.open()) {
            servers.acquire(Server.values());
        }
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    @Test
    void aGivenAddressIsUsedAndNeverControlled() {
        var environment = Map.of(
                "WAYBILL_REDIS_URL", "redis://127.0.0.1:" + injected.port(),
                "WAYBILL_MARIADB_URL", "jdbc:mariadb://db.example/",
                "WAYBILL_ROCKETMQ_URL", "mq.example:1234");
        assertThat(Address.given(Server.MARIADB, environment).orElseThrow()).hasToString("db.example:3306");
        assertThat(Address.given(Server.ROCKETMQ, environment).orElseThrow()).hasToString("mq.example:1234");
        var redis = new Redis(
                Checkout.find(), Address.given(Server.REDIS, environment).orElseThrow());
        assertThat(redis.answers()).as("MariaDB speaks no Redis").isFalse();
        assertThatThrownBy(redis::kill)
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessageContaining("WAYBILL_REDIS_URL")
                .hasMessageContaining("not ours");
    }

    @Test
    void onlyTheOwnerCanReadThePassword() throws Exception {
        var file = Checkout.root().resolve(".services/password");

        assertThat(injected.password())
                .isEqualTo(Files.readString(file).strip())
                .matches("\\w{32}");
        assertThat(Files.getPosixFilePermissions(file))
                .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    }

    /** Each server has the password in files of its own, beside the folder of its data. */
    @Test
    void noFileThatOthersCanReadHoldsThePassword() throws Exception {
        List<String> telling = new ArrayList<>();
        try (Stream<Path> files =
                Files.find(Checkout.root().resolve(".services"), 2, (file, about) -> about.isRegularFile())) {
            for (Path file : files.toList()) {
                if (Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)
                        && Files.readString(file, StandardCharsets.ISO_8859_1).contains(injected.password())) {
                    telling.add(file.toString());
                }
            }
        }
        assertThat(telling).isEmpty();
    }

    @Test
    void noCommandLineShowsThePassword() {
        var visible = ProcessHandle.allProcesses()
                .flatMap(process -> process.info().commandLine().stream())
                .filter(line -> line.contains(injected.password()));

        assertThat(visible).isEmpty();
    }

    @Nested
    class InANestedClass {
        @Test
        void theOuterClassHandleIsShared(MariaDb mariaDb) {
            assertThat(mariaDb).isSameAs(injected);
        }
    }
}
