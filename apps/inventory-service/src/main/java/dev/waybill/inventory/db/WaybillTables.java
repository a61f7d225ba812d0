package dev.waybill.inventory.db;

import dev.waybill.jdbc.Ddl;
import dev.waybill.jdbc.InboxLayouts;
import dev.waybill.jdbc.OutboxLayouts;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.migration.Context;
import org.flywaydb.core.api.migration.JavaMigration;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** {@code t_outbox_event}, {@code t_mq_consume_log} and the table of dead letters, from the DDL that Waybill ships for the database at hand. */
@Component
final class WaybillTables implements JavaMigration {

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
        Ddl.apply(context.getConfiguration().getDataSource(), OutboxLayouts.tOutboxEvent());
        Ddl.apply(context.getConfiguration().getDataSource(), InboxLayouts.tMqConsumeLog());
        Ddl.applyDeadLetters(context.getConfiguration().getDataSource());
    }
}
