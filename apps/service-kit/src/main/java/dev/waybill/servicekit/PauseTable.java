package dev.waybill.servicekit;

import dev.waybill.jdbc.Ddl;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.migration.Context;
import org.flywaydb.core.api.migration.JavaMigration;
import org.jspecify.annotations.Nullable;

/** Flyway's version 4 of every service: what people have paused, from the DDL that Waybill ships. */
public final class PauseTable implements JavaMigration {

    @Override
    public MigrationVersion getVersion() {
        return MigrationVersion.fromVersion("4");
    }

    @Override
    public String getDescription() {
        return "what people have paused";
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
        Ddl.applyPauses(context.getConfiguration().getDataSource());
    }
}
