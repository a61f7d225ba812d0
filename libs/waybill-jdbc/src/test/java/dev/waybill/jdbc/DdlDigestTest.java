package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * People copy the shipped DDL into migrations, so a shipped table never changes by accident: its digest is on file for every
 * database and layout. Comments may change. After a change that is meant, write the file anew with
 * {@code -Dgolden.write=true}.
 */
class DdlDigestTest {

    private static final Path FILE = Path.of("src/test/resources/ddl-digests.txt");

    @Test
    void everyShippedTableIsTheOneOnFile() throws IOException, NoSuchAlgorithmException {
        List<String> digests = new ArrayList<>();
        for (Dialect dialect : Dialect.values()) {
            for (OutboxMapping mapping : OutboxLayouts.all()) {
                digests.add(line(dialect, "outbox " + mapping.layout(), Ddl.print(dialect, mapping)));
            }
            for (InboxMapping mapping : InboxLayouts.all()) {
                digests.add(line(dialect, "inbox " + mapping.layout(), Ddl.print(dialect, mapping)));
            }
            digests.add(line(dialect, "dead letters", Ddl.printDeadLetters(dialect)));
            digests.add(line(dialect, "alerts", Ddl.printAlerts(dialect)));
            digests.add(line(dialect, "jobs", Ddl.printJobs(dialect)));
            digests.add(line(dialect, "pauses", Ddl.printPauses(dialect)));
        }
        if (Boolean.getBoolean("golden.write")) {
            Files.write(FILE, digests);
        }
        assertThat(digests).isEqualTo(Files.readAllLines(FILE));
    }

    private static String line(Dialect dialect, String tables, String ddl) throws NoSuchAlgorithmException {
        String statements = ddl.lines().filter(line -> !line.startsWith("--")).collect(Collectors.joining("\n"));
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(statements.getBytes(StandardCharsets.UTF_8));
        return dialect.key() + " " + tables + " " + HexFormat.of().formatHex(digest);
    }
}
