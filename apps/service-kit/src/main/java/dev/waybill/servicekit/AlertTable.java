package dev.waybill.servicekit;

import dev.waybill.jdbc.Ddl;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.migration.Context;
import org.flywaydb.core.api.migration.JavaMigration;
import org.jspecify.annotations.Nullable;

/** Flyway's version 2.1 of every service: which alerts are raised, from the DDL that Waybill ships for the database at hand. */
public final class AlertTable implements JavaMigration {

    @Override
    public MigrationVersion getVersion() {
        return MigrationVersion.fromVersion("2.1");
    }

    @Override
    public String getDescription() {
        return "alerts";
    }

    @Override
    public @Nullable Integer getChecksum() {
        return null;
    }

    @Override
    public boolean canExecuteInTransaction() {
        return false;
    }

    @Override
    public void migrate(Context context) {
        Ddl.applyAlerts(context.getConfiguration().getDataSource());
    }
}
