package dev.waybill.jdbc;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the mappings of outbox and inbox tables have in common: names, columns, status words, times. Statements are built of
 * these names and words, which cannot be parameters, so the builder checks each of them.
 *
 * @param <C> what a column can mean
 * @param <S> the states that the status column tells apart
 */
abstract sealed class SqlMapping<C extends Enum<C>, S extends Enum<S>> permits OutboxMapping, InboxMapping {

    private final String layout;
    private final String table;
    private final EnumMap<C, String> columns;
    private final EnumMap<S, String> words;
    private final SqlTimeZone timeZone;
    private final boolean wholeSeconds;

    SqlMapping(Builder<C, S, ?> from) {
        this.layout = from.layout;
        this.table = from.table;
        this.columns = new EnumMap<>(from.columns);
        this.words = new EnumMap<>(from.words);
        this.timeZone = from.timeZone;
        this.wholeSeconds = from.wholeSeconds;
    }

    public final String layout() {
        return layout;
    }

    /** The table's name, with its schema where one was given. */
    public final String table() {
        return table;
    }

    public final Map<C, String> columns() {
        return Collections.unmodifiableMap(columns);
    }

    public final @Nullable String column(C column) {
        return columns.get(column);
    }

    public final @Nullable String word(S state) {
        return words.get(state);
    }

    final boolean has(C column) {
        return columns.containsKey(column);
    }

    /** The words of these states, without repeats, in the order of the states. */
    final Set<String> words(Set<S> states) {
        Set<String> found = new LinkedHashSet<>();
        for (S state : states) {
            String word = words.get(state);
            if (word != null) {
                found.add(word);
            }
        }
        return found;
    }

    final SqlTimeZone timeZone() {
        return timeZone;
    }

    final boolean wholeSeconds() {
        return wholeSeconds;
    }

    /** The column that holds the state. */
    abstract C status();

    /**
     * Collects what mappings have in common.
     *
     * @param <B> the builder itself, so that calls can be chained
     */
    abstract static sealed class Builder<C extends Enum<C>, S extends Enum<S>, B extends Builder<C, S, B>>
            permits OutboxMapping.Builder, InboxMapping.Builder {

        private final String layout;
        private String table;
        private final EnumMap<C, String> columns;
        private final EnumMap<S, String> words;
        private SqlTimeZone timeZone = SqlTimeZone.SESSION;
        private boolean wholeSeconds = true;

        Builder(String layout, Class<C> columns, Class<S> states) {
            this.layout = SqlNames.name("layout", layout);
            this.table = layout;
            this.columns = new EnumMap<>(columns);
            this.words = new EnumMap<>(states);
        }

        Builder(SqlMapping<C, S> from) {
            this.layout = from.layout;
            this.table = from.table;
            this.columns = new EnumMap<>(from.columns);
            this.words = new EnumMap<>(from.words);
            this.timeZone = from.timeZone;
            this.wholeSeconds = from.wholeSeconds;
        }

        abstract B self();

        /** The table's name, or {@code schema.name}. */
        public final B table(String table) {
            this.table = SqlNames.table(table);
            return self();
        }

        public final B column(C column, String name) {
            columns.put(column, SqlNames.name("column " + column, name));
            return self();
        }

        /** The table has no such column. */
        public final B without(C column) {
            columns.remove(column);
            return self();
        }

        /** The status word (or number) for a state. */
        public final B word(S state, String word) {
            words.put(state, SqlNames.word("word for " + state, word));
            return self();
        }

        final B withoutWord(S state) {
            words.remove(state);
            return self();
        }

        /** The time zone of the time columns; the session's by default. Columns that have a time zone ignore it. */
        public final B timeZone(SqlTimeZone timeZone) {
            this.timeZone = timeZone;
            return self();
        }

        /** Times are stored in whole seconds (the default) or to the millisecond. Due times are rounded up. */
        public final B wholeSeconds(boolean wholeSeconds) {
            this.wholeSeconds = wholeSeconds;
            return self();
        }

        final boolean has(C column) {
            return columns.containsKey(column);
        }

        final boolean hasAny(Set<C> some) {
            return !Collections.disjoint(columns.keySet(), some);
        }

        final void needColumn(C column) {
            need(has(column), "a column for " + column);
        }

        final void needWord(S state) {
            need(words.containsKey(state), "a status word for " + state);
        }

        final void need(boolean present, String what) {
            if (!present) {
                throw new IllegalArgumentException("the mapping of table " + table + " needs " + what);
            }
        }
    }
}
