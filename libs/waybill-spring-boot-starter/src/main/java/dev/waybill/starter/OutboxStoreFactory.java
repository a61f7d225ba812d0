package dev.waybill.starter;

import dev.waybill.jdbc.Ddl;
import dev.waybill.jdbc.Dialect;
import dev.waybill.jdbc.JdbcOutboxStore;
import dev.waybill.jdbc.OutboxLayouts;
import dev.waybill.jdbc.OutboxMapping;
import dev.waybill.jdbc.archive.RowArchive;
import dev.waybill.starter.transaction.SpringCallerConnection;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.unit.DataSize;

/** Opens the store on the table that the properties describe, after creating or printing the table if they say so. */
final class OutboxStoreFactory {

    private static final Logger log = LoggerFactory.getLogger(OutboxStoreFactory.class);

    private OutboxStoreFactory() {}

    /** Tables are made in the business database; the relay's own connections serve what is no part of a business transaction. */
    static JdbcOutboxStore open(
            DataSource dataSource,
            RelayDataSource relay,
            OutboxProperties properties,
            String application,
            @Nullable RowArchive archive) {
        OutboxMapping mapping = mapping(properties);
        switch (properties.ddl()) {
            case APPLY -> apply(dataSource, mapping, properties.partitions());
            case PRINT ->
                log.info(
                        "[OutboxStore] print table={}\n{}",
                        mapping.table(),
                        print(dataSource, mapping, properties.partitions()));
            case NONE -> {}
        }
        String source = properties.source();
        JdbcOutboxStore.Builder store = JdbcOutboxStore.builder(relay.dataSource())
                .callerConnection(new SpringCallerConnection(dataSource))
                .mapping(mapping)
                .source(source == null || source.isBlank() ? application : source)
                .archive(archive)
                .notifyRelays(properties.notifications());
        if (properties.notifications() && relay.hasOneToSpare()) {
            store.listenOn(relay.dataSource());
        }
        return store.build();
    }

    private static void apply(DataSource dataSource, OutboxMapping mapping, @Nullable Duration period) {
        if (period == null) {
            Ddl.apply(dataSource, mapping);
            return;
        }
        try {
            Ddl.apply(dataSource, mapping, period, Clock.systemUTC().instant());
        } catch (IllegalArgumentException e) {
            throw refused("partitions", period, String.valueOf(e.getMessage()), e);
        }
    }

    private static String print(DataSource dataSource, OutboxMapping mapping, @Nullable Duration period) {
        try (Connection connection = dataSource.getConnection()) {
            Dialect dialect = Dialect.of(connection);
            return period == null ? Ddl.print(dialect, mapping) : printed(dialect, mapping, period);
        } catch (SQLException e) {
            throw new StoreException(StoreException.Reason.UNAVAILABLE, "no connection to print the DDL for", e);
        }
    }

    private static String printed(Dialect dialect, OutboxMapping mapping, Duration period) {
        try {
            return Ddl.print(dialect, mapping, period, Clock.systemUTC().instant());
        } catch (IllegalArgumentException e) {
            throw refused("partitions", period, String.valueOf(e.getMessage()), e);
        }
    }

    static int maxPayloadBytes(OutboxProperties properties) {
        DataSize size = properties.maxPayload();
        if (size.toBytes() < 1 || size.toBytes() > Integer.MAX_VALUE) {
            throw refused("max-payload", size, "1 byte to 2 GB", null);
        }
        return (int) size.toBytes();
    }

    private static OutboxMapping mapping(OutboxProperties properties) {
        OutboxMapping.Builder mapping = layout(properties.layout()).toBuilder();
        if (properties.table() != null) {
            String table = properties.table();
            change("table", table, () -> mapping.table(table));
        }
        properties
                .columns()
                .forEach((column, name) -> change(
                        "columns." + word(column),
                        name,
                        () -> name.isEmpty() ? mapping.without(column) : mapping.column(column, name)));
        properties
                .words()
                .forEach((state, word) -> change(
                        "words." + word(state),
                        word,
                        () -> word.isEmpty() ? mapping.without(state) : mapping.word(state, word)));
        properties.alsoClaimable().forEach(word -> change("also-claimable", word, () -> mapping.alsoClaimable(word)));
        try {
            return mapping.build();
        } catch (IllegalArgumentException e) {
            throw refused("columns", properties.columns(), String.valueOf(e.getMessage()), e);
        }
    }

    private static OutboxMapping layout(String name) {
        return OutboxLayouts.all().stream()
                .filter(layout -> layout.layout().equals(name))
                .findFirst()
                .orElseThrow(() -> refused(
                        "layout",
                        name,
                        "the layouts are "
                                + OutboxLayouts.all().stream()
                                        .map(OutboxMapping::layout)
                                        .toList(),
                        null));
    }

    private static OutboxMapping.Builder change(String property, String value, Supplier<OutboxMapping.Builder> change) {
        try {
            return change.get();
        } catch (IllegalArgumentException e) {
            throw refused(property, value, String.valueOf(e.getMessage()), e);
        }
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static StartUpException refused(String name, Object value, String rule, @Nullable Throwable cause) {
        String property = "waybill.outbox." + name;
        return new StartUpException(
                property, property + "=" + value + " cannot be used: " + rule + ".", "Change " + property + ".", cause);
    }
}
