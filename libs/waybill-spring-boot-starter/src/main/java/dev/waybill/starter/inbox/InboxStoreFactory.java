package dev.waybill.starter.inbox;

import dev.waybill.jdbc.Ddl;
import dev.waybill.jdbc.Dialect;
import dev.waybill.jdbc.InboxColumn;
import dev.waybill.jdbc.InboxLayouts;
import dev.waybill.jdbc.InboxMapping;
import dev.waybill.jdbc.JdbcDeadLetterStore;
import dev.waybill.jdbc.JdbcInboxStore;
import dev.waybill.jdbc.JdbcJobStore;
import dev.waybill.jdbc.archive.RowArchive;
import dev.waybill.starter.InboxProperties;
import dev.waybill.starter.StartUpException;
import dev.waybill.starter.transaction.SpringCallerConnection;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the store on the table that the properties describe, after creating or printing the table if they say so. */
public final class InboxStoreFactory {

    private static final Logger log = LoggerFactory.getLogger(InboxStoreFactory.class);

    private InboxStoreFactory() {}

    /** The probe has connections of its own where it can: a business pool in which none is free is not a database that is down. */
    static JdbcInboxStore open(
            DataSource dataSource, DataSource probed, InboxProperties properties, @Nullable RowArchive archive) {
        InboxMapping mapping = mapping(properties);
        switch (properties.ddl()) {
            case APPLY -> Ddl.apply(dataSource, mapping);
            case PRINT ->
                log.info(
                        "[InboxStore] print table={}\n{}",
                        mapping.table(),
                        print(dataSource, dialect -> Ddl.print(dialect, mapping)));
            case NONE -> {}
        }
        return JdbcInboxStore.builder(dataSource)
                .callerConnection(new SpringCallerConnection(dataSource))
                .probed(probed)
                .mapping(mapping)
                .archive(archive)
                .build();
    }

    static JdbcDeadLetterStore openDeadLetters(
            DataSource dataSource, InboxProperties properties, @Nullable RowArchive archive) {
        switch (properties.ddl()) {
            case APPLY -> Ddl.applyDeadLetters(dataSource);
            case PRINT -> log.info("[DeadLetterStore] print\n{}", print(dataSource, Ddl::printDeadLetters));
            case NONE -> {}
        }
        return new JdbcDeadLetterStore(dataSource, archive);
    }

    /** The tables of jobs are beside those of the dead letters, which most of them are about. */
    public static JdbcJobStore openJobs(
            DataSource dataSource, InboxProperties properties, @Nullable RowArchive archive) {
        switch (properties.ddl()) {
            case APPLY -> Ddl.applyJobs(dataSource);
            case PRINT -> log.info("[JobStore] print\n{}", print(dataSource, Ddl::printJobs));
            case NONE -> {}
        }
        return new JdbcJobStore(dataSource, archive);
    }

    private static String print(DataSource dataSource, Function<Dialect, String> ddl) {
        try (Connection connection = dataSource.getConnection()) {
            return ddl.apply(Dialect.of(connection));
        } catch (SQLException e) {
            throw new StoreException(StoreException.Reason.UNAVAILABLE, "no connection to print the DDL for", e);
        }
    }

    private static InboxMapping mapping(InboxProperties properties) {
        InboxMapping.Builder mapping =
                change("layout", properties.layout(), () -> InboxLayouts.named(properties.layout())).toBuilder();
        String table = properties.table();
        if (table != null) {
            change("table", table, () -> mapping.table(table));
        }
        properties.columns().forEach((column, name) -> rename(mapping, column, name));
        properties
                .words()
                .forEach((state, word) -> change("words." + word(state), word, () -> mapping.word(state, word)));
        return change("columns", properties.columns(), mapping::build);
    }

    /** An empty name says that the table has no such column. */
    private static void rename(InboxMapping.Builder mapping, InboxColumn column, String name) {
        change(
                "columns." + word(column),
                name,
                () -> name.isEmpty() ? mapping.without(column) : mapping.column(column, name));
    }

    private static <T> T change(String name, Object value, Supplier<T> change) {
        try {
            return change.get();
        } catch (IllegalArgumentException e) {
            String property = "waybill.inbox." + name;
            throw new StartUpException(
                    property,
                    property + "=" + value + " cannot be used: " + e.getMessage() + ".",
                    "Change " + property + ".",
                    e);
        }
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
