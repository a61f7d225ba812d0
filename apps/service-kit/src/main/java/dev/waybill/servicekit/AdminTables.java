package dev.waybill.servicekit;

import dev.waybill.jdbc.Ddl;
import javax.sql.DataSource;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.migration.Context;
import org.flywaydb.core.api.migration.JavaMigration;
import org.jspecify.annotations.Nullable;

/** Flyway's version 3 of every service: what the admin API keeps, from the DDL that Waybill ships. */
public final class AdminTables implements JavaMigration {

    @Override
    public MigrationVersion getVersion() {
        return MigrationVersion.fromVersion("3");
    }

    @Override
    public String getDescription() {
        return "jobs and pauses of operators";
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
        DataSource database = context.getConfiguration().getDataSource();
        Ddl.applyJobs(database);
        Ddl.applyPauses(database);
    }
}
