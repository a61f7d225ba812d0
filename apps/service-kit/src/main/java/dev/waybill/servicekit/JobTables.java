package dev.waybill.servicekit;

import dev.waybill.jdbc.Ddl;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.migration.Context;
import org.flywaydb.core.api.migration.JavaMigration;
import org.jspecify.annotations.Nullable;

/** Flyway's version 3 of every service: the jobs of operators, from the DDL that Waybill ships. */
public final class JobTables implements JavaMigration {

    @Override
    public MigrationVersion getVersion() {
        return MigrationVersion.fromVersion("3");
    }

    @Override
    public String getDescription() {
        return "jobs of operators";
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
        Ddl.applyJobs(context.getConfiguration().getDataSource());
    }
}
