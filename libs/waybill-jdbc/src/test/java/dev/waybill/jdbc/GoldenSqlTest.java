package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.MySql;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Shows the SQL that the stores send to each database on Waybill's own tables, in {@code src/test/resources/sql}. The
 * statements are recorded from JDBC connections to the real database while each verb runs; only white space differs. A list
 * is shown at one of the lengths to which lists are padded. After a change of a statement, write the files anew and read the
 * difference before you commit it:
 *
 * <pre>./dev test libs/waybill-jdbc -Dtest=GoldenSqlTest -Dgolden.write=true</pre>
 */
@Servers({Server.MARIADB, Server.MYSQL, Server.POSTGRESQL})
class GoldenSqlTest {

    private static final Path FOLDER = Path.of("src/test/resources/sql");

    @Test
    void theStatementsForMySqlAreTheOnesOnFile(MySql server) throws IOException {
        compare(Dialect.MYSQL, server.freshDatabase());
    }

    @Test
    void theStatementsForMariaDbAreTheOnesOnFile(MariaDb server) throws IOException {
        compare(Dialect.MARIADB, server.freshDatabase());
    }

    @Test
    void theStatementsForPostgreSqlAreTheOnesOnFile(PostgreSql server) throws IOException {
        compare(Dialect.POSTGRESQL, server.freshDatabase());
    }

    @Test
    void theStatementsForH2AreTheOnesOnFile() throws IOException {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        compare(Dialect.H2, new Database("h2", url, "sa", ""));
    }

    @Test
    void noFolderIsOfAnotherDatabase() throws IOException {
        assertThat(filesIn(FOLDER)).isEqualTo(sorted(Stream.of(Dialect.values()).map(Dialect::key)));
    }

    private static void compare(Dialect dialect, Database database) throws IOException {
        Map<String, String> texts = new TreeMap<>();
        try (GoldenDatabase golden = new GoldenDatabase(database, dialect)) {
            texts.put("outbox", GoldenOutboxSql.of(golden));
            texts.put("attempts", GoldenOutboxSql.attemptsOf(golden));
            texts.put("inbox", GoldenInboxSql.of(golden));
            texts.put("dead-letters", GoldenDeadLetterSql.of(golden));
            texts.put("jobs", GoldenJobSql.of(golden));
        }
        for (Map.Entry<String, String> text : texts.entrySet()) {
            Path file = FOLDER.resolve(dialect.key()).resolve(text.getKey() + ".sql");
            if (Boolean.getBoolean("golden.write")) {
                Files.createDirectories(file.getParent());
                Files.writeString(file, text.getValue());
            }
            assertThat(file).exists();
            assertThat(text.getValue())
                    .as("%s: if the change is meant, write it with -Dgolden.write=true", file)
                    .isEqualTo(Files.readString(file));
        }
        assertThat(filesIn(FOLDER.resolve(dialect.key())))
                .isEqualTo(sorted(texts.keySet().stream().map(role -> role + ".sql")));
    }

    private static Set<String> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return sorted(files.map(file -> file.getFileName().toString()));
        }
    }

    private static Set<String> sorted(Stream<String> names) {
        return names.collect(Collectors.toCollection(TreeSet::new));
    }
}
