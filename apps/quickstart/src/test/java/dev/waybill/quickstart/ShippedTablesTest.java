package dev.waybill.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.jdbc.Ddl;
import dev.waybill.jdbc.Dialect;
import dev.waybill.jdbc.InboxLayouts;
import dev.waybill.jdbc.InboxMapping;
import dev.waybill.jdbc.OutboxLayouts;
import dev.waybill.jdbc.OutboxMapping;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The services' migrations repeat the DDL that Waybill ships, because a migration must stay as it was when a library is
 * updated. Here they are compared, so that a difference is a decision and not an oversight.
 */
class ShippedTablesTest {

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "H2"})
    void theOrderServiceCreatesTheTablesThatWaybillShips(Dialect dialect) throws IOException {
        compare("order", dialect, OutboxLayouts.tOutboxEvent(), InboxLayouts.tMqConsumeLog());
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "H2"})
    void theMarketplaceCreatesTheTablesThatWaybillShips(Dialect dialect) throws IOException {
        compare("marketplace", dialect, OutboxLayouts.outboxEvents(), InboxLayouts.eventConsumeLog());
    }

    private static void compare(String service, Dialect dialect, OutboxMapping outbox, InboxMapping inbox)
            throws IOException {
        String shipped = Ddl.print(dialect, outbox) + Ddl.print(dialect, inbox) + Ddl.printDeadLetters(dialect);
        String migration = read("/dev/waybill/" + service + "/db/" + dialect.key() + "/V2__messages.sql");

        assertThat(statements(migration)).isEqualTo(statements(shipped));
    }

    private static String read(String resource) throws IOException {
        try (InputStream in = ShippedTablesTest.class.getResourceAsStream(resource)) {
            return new String(Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Without comments and the condition that only the shipped DDL has. */
    private static Set<String> statements(String script) {
        String bare = script.replaceAll("(?m)^--.*$", "").replace("IF NOT EXISTS ", "");
        return Stream.of(bare.split(";", -1))
                .map(statement -> statement.strip().replaceAll("\\s+", " "))
                .filter(statement -> !statement.isEmpty())
                .collect(Collectors.toSet());
    }
}
