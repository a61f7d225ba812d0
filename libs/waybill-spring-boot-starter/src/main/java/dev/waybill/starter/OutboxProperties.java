package dev.waybill.starter;

import dev.waybill.jdbc.OutboxColumn;
import dev.waybill.jdbc.OutboxState;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The outbox table.
 *
 * @param dataSource Bean name of the DataSource that holds the table. Needed only when there are several and none is
 *     primary.
 * @param layout The table's layout: waybill, t_outbox_event, outbox_event, outbox_events or events.
 * @param table The table's name, with its schema where needed, where it is not the layout's own.
 * @param columns Column names that differ from the layout's; an empty name says that the table has no such column.
 * @param words Status words that differ from the layout's; an empty word says that the table has none for the state.
 * @param alsoClaimable Further status words whose rows are waiting to be sent, such as one that older writers use.
 * @param source The publishing application's name, for tables that keep it; spring.application.name by default. Rows
 *     that others wrote without an event id get one made of it, so keep it stable.
 * @param ddl Whether start-up creates missing tables.
 * @param partitions Length of the periods by which a table is made in partitions, in whole hours, such as 1d; in one piece by
 *     default. Only of the layout waybill, on MySQL, MariaDB and PostgreSQL. A table that exists stays as it is.
 * @param maxPayload Payloads above this size are refused at publish.
 * @param notifications Whether, on PostgreSQL, a commit whose events no relay of this process takes over wakes relays in other
 *     processes, and a relay here listens for such commits. Switch it off where transactions are prepared for a two-phase
 *     commit.
 */
public record OutboxProperties(
        @Nullable String dataSource,
        @DefaultValue("waybill") String layout,
        @Nullable String table,
        @DefaultValue Map<OutboxColumn, String> columns,
        @DefaultValue Map<OutboxState, String> words,
        @DefaultValue Set<String> alsoClaimable,
        @Nullable String source,
        @DefaultValue("none") DdlMode ddl,
        @Nullable Duration partitions,
        @DefaultValue("4MB") DataSize maxPayload,
        @DefaultValue("true") boolean notifications) {

    /** What start-up does about missing tables. */
    public enum DdlMode {
        /** Nothing: they are there, or the start-up fails. */
        NONE,
        /** Creates what is missing; changes nothing that is there. */
        APPLY,
        /** Logs the statements, for a person or a migration tool, and creates nothing. */
        PRINT
    }
}
