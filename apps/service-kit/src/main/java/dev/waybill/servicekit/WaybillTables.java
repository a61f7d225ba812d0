package dev.waybill.servicekit;

import dev.waybill.jdbc.Ddl;
import dev.waybill.jdbc.InboxLayouts;
import dev.waybill.jdbc.OutboxLayouts;
import dev.waybill.starter.StartUpException;
import java.util.function.Function;
import javax.sql.DataSource;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.migration.Context;
import org.flywaydb.core.api.migration.JavaMigration;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/**
 * Flyway's version 2 of every service: the outbox, the consume log and the dead letters, from the DDL that Waybill ships for
 * the database at hand and the layouts that {@code waybill.outbox.layout} and {@code waybill.inbox.layout} name.
 */
public final class WaybillTables implements JavaMigration {

    private final Environment settings;

    public WaybillTables(Environment settings) {
        this.settings = settings;
    }

    @Override
    public MigrationVersion getVersion() {
        return MigrationVersion.fromVersion("2");
    }

    @Override
    public String getDescription() {
        return "outbox and consume log";
    }

    @Override
    public @Nullable Integer getChecksum() {
        return null;
    }

    /** MySQL commits every DDL statement anyway, so nothing is lost by a connection of its own. */
    @Override
    public boolean canExecuteInTransaction() {
        return false;
    }

    @Override
    public void migrate(Context context) {
        DataSource database = context.getConfiguration().getDataSource();
        Ddl.apply(database, layout("waybill.outbox.layout", OutboxLayouts::named));
        Ddl.apply(database, layout("waybill.inbox.layout", InboxLayouts::named));
        Ddl.applyDeadLetters(database);
    }

    private <T> T layout(String property, Function<String, T> named) {
        String name = settings.getProperty(property, "waybill");
        try {
            return named.apply(name);
        } catch (IllegalArgumentException e) {
            throw new StartUpException(
                    property,
                    property + "=" + name + " cannot be used: " + e.getMessage() + ".",
                    "Change " + property + ".",
                    e);
        }
    }
}
