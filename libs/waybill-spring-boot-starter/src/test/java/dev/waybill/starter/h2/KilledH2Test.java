package dev.waybill.starter.h2;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** SIGKILL at seeded moments while eight threads commit: every commit that was answered is there, and whole. */
@Tag("kill")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class KilledH2Test {

    private static final int ROUNDS = Scenario.length(20, 8);
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DataSourceAutoConfiguration.class, DurableH2AutoConfiguration.class));

    @Test
    void whatWasCommittedIsThereAfterAKill(@TempDir Path folder) throws SQLException {
        String url = "jdbc:h2:file:" + folder.resolve("killed") + ";DB_CLOSE_ON_EXIT=FALSE";
        Random moments = new Random(17);
        Set<Long> committed = new HashSet<>();
        for (int round = 0; round < ROUNDS; round++) {
            try (ChildJvm writer =
                    ChildJvm.of(H2Writer.class).arguments(DurableH2Url.of(url)).start()) {
                writer.waitForLine("committed", PATIENCE);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(moments.nextInt(700)));
                writer.kill9();
                writer.lines().stream()
                        .filter(line -> line.matches("committed [0-9]{19}"))
                        .forEach(line -> committed.add(Long.parseLong(line.substring("committed ".length()))));
            }
            try (Connection database = DriverManager.getConnection(url)) {
                Set<Long> orders = ids(database, "orders");
                Set<Long> lost = new HashSet<>(committed);
                lost.removeAll(orders); // AssertJ would compare each with each
                assertThat(lost).as("answered and lost, round %s", round).isEmpty();
                assertThat(ids(database, "events"))
                        .as("halves of transactions, round %s", round)
                        .isEqualTo(orders);
            }
        }
        Scenario.print(committed.size() + " commits were answered, and all were there after " + ROUNDS + " kills");
        assertThat(committed).hasSizeGreaterThan(ROUNDS * 20);
    }

    /** The committing thread writes the file itself, and an interrupt closes an ordinary channel for everybody. */
    @Test
    void anInterruptedCommitDoesNotCloseTheDatabase(@TempDir Path folder) {
        application
                .withPropertyValues("spring.datasource.url=jdbc:h2:file:" + folder.resolve("interrupted"))
                .run(context -> {
                    try (Connection connection =
                            context.getBean(HikariDataSource.class).getConnection()) {
                        H2Writer.makeTables(connection);
                        Thread.currentThread().interrupt();
                        connection.createStatement().execute("INSERT INTO orders VALUES (1)");
                        assertThat(Thread.interrupted()).isTrue();
                        connection.createStatement().execute("INSERT INTO orders VALUES (2)");
                        assertThat(ids(connection, "orders")).containsExactlyInAnyOrder(1L, 2L);
                    }
                });
    }

    @Test
    void bootsOwnPoolGetsTheDurableAddressUnlessThatIsSwitchedOff(@TempDir Path folder) {
        String url = "jdbc:h2:file:" + folder.resolve("pool");
        ApplicationContextRunner given = application.withPropertyValues("spring.datasource.url=" + url);

        given.run(context -> assertThat(context.getBean(HikariDataSource.class).getJdbcUrl())
                .isEqualTo(DurableH2Url.of(url))
                .isNotEqualTo(url));
        given.withPropertyValues("waybill.h2.durable=false")
                .run(context -> assertThat(
                                context.getBean(HikariDataSource.class).getJdbcUrl())
                        .isEqualTo(url));
    }

    /** Nothing compacts in the background, so space must come back by itself. */
    @Test
    void theFileDoesNotGrowWithEveryCommit(@TempDir Path folder) throws SQLException, IOException {
        try (Connection connection = DriverManager.getConnection(
                DurableH2Url.of("jdbc:h2:file:" + folder.resolve("busy") + ";RETENTION_TIME=0"))) {
            H2Writer.makeTables(connection);
            connection.createStatement().execute("INSERT INTO orders VALUES (0)");
            for (int i = 0; i < 5_000; i++) {
                connection.createStatement().execute("UPDATE orders SET id = id + 1");
            }
            assertThat(Files.size(folder.resolve("busy.mv.db"))).isLessThan(10_000_000);
        }
    }

    private static Set<Long> ids(Connection database, String table) throws SQLException {
        Set<Long> ids = new HashSet<>();
        try (ResultSet rows = database.createStatement().executeQuery("SELECT id FROM " + table)) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }
}
