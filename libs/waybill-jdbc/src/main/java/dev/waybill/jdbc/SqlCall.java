package dev.waybill.jdbc;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a statement with named parameters. Lists are padded to a few lengths by repeating their last entry,
 * so that the statement caches of drivers and servers see few texts.
 */
final class SqlCall {

    private static final Pattern NAME = Pattern.compile("(?<![:A-Za-z0-9]):([a-z][A-Za-z]*)");
    private static final int[] LENGTHS = {1, 8, 32, 64, 128, 256, 512, 1024, 4096};

    /** The longest list of keys that one statement should take. */
    static final int LONGEST_LIST = 1024;

    /** The longest list that one statement can take, several times over. */
    static final int MOST_VALUES = 4096;

    /** Reads one row. */
    interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private record Slot(String text, List<? extends @Nullable Object> values) {}

    /** A statement cut at its names: a text before each, and one after the last. */
    private record Template(List<String> texts, List<String> names, int length) {

        static Template of(String sql) {
            Matcher matcher = NAME.matcher(sql);
            List<String> texts = new ArrayList<>();
            List<String> names = new ArrayList<>();
            int end = 0;
            while (matcher.find()) {
                texts.add(sql.substring(end, matcher.start()));
                names.add(matcher.group(1));
                end = matcher.end();
            }
            texts.add(sql.substring(end));
            return new Template(texts, names, sql.length());
        }
    }

    /** Statements are few, because they hold no values: one for each verb, table and set of columns. */
    private static final Map<String, Template> TEMPLATES = new ConcurrentHashMap<>();

    private final String sql;
    private final Template template;
    private final Map<String, Slot> slots = new HashMap<>();

    SqlCall(String sql) {
        this.sql = sql;
        this.template = TEMPLATES.computeIfAbsent(sql, Template::of);
    }

    SqlCall set(String name, @Nullable Object value) {
        List<@Nullable Object> one = new ArrayList<>();
        one.add(value);
        slots.put(name, new Slot("?", one));
        return this;
    }

    /** {@code ?, ?, ?} */
    SqlCall list(String name, List<?> values) {
        List<?> padded = padded(values);
        slots.put(name, new Slot("?, ".repeat(padded.size() - 1) + "?", padded));
        return this;
    }

    /** {@code WHEN ? THEN ? WHEN ? THEN ?}; the item may wrap its value in a cast. */
    SqlCall cases(String name, String item, List<?> keys, List<? extends @Nullable Object> values) {
        List<?> paddedKeys = padded(keys);
        List<? extends @Nullable Object> paddedValues = padded(values);
        List<@Nullable Object> both = new ArrayList<>(paddedKeys.size() * 2);
        for (int i = 0; i < paddedKeys.size(); i++) {
            both.add(paddedKeys.get(i));
            both.add(paddedValues.get(i));
        }
        slots.put(name, new Slot(("WHEN ? THEN " + item + " ").repeat(paddedKeys.size()), both));
        return this;
    }

    /** Puts a piece of SQL in the place of the parameter, with the values for the question marks in it. */
    SqlCall part(String name, String text, List<? extends @Nullable Object> values) {
        slots.put(name, new Slot(text, values));
        return this;
    }

    int update(Connection connection) throws SQLException {
        try (PreparedStatement statement = prepare(connection)) {
            return statement.executeUpdate();
        }
    }

    <T> List<T> query(Connection connection, RowReader<T> reader) throws SQLException {
        try (PreparedStatement statement = prepare(connection)) {
            // not executeQuery: some drivers refuse it for a statement that writes and returns rows
            if (!statement.execute()) {
                throw new SQLException("the statement returned no rows: " + sql);
            }
            List<T> rows = new ArrayList<>();
            try (ResultSet result = statement.getResultSet()) {
                while (result.next()) {
                    rows.add(reader.read(result));
                }
            }
            return rows;
        }
    }

    /** Inserts and reads the keys that the database made, in the order of the rows. */
    List<Long> insert(Connection connection, String keyColumn) throws SQLException {
        List<@Nullable Object> values = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(expand(values), new String[] {keyColumn})) {
            bind(statement, values);
            statement.executeUpdate();
            List<Long> keys = new ArrayList<>();
            try (ResultSet made = statement.getGeneratedKeys()) {
                while (made.next()) {
                    keys.add(made.getLong(1));
                }
            }
            return keys;
        }
    }

    private PreparedStatement prepare(Connection connection) throws SQLException {
        List<@Nullable Object> values = new ArrayList<>();
        PreparedStatement statement = connection.prepareStatement(expand(values));
        try {
            bind(statement, values);
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    /** Whether the statement has a parameter of this name. */
    boolean takes(String name) {
        return template.names().contains(name);
    }

    private String expand(List<@Nullable Object> values) {
        StringBuilder text = new StringBuilder(template.length() + 64);
        for (int i = 0; i < template.names().size(); i++) {
            String name = template.names().get(i);
            Slot slot = slots.get(name);
            if (slot == null) {
                throw new IllegalStateException("no value for :" + name + " in " + sql);
            }
            text.append(template.texts().get(i)).append(slot.text());
            values.addAll(slot.values());
        }
        return text.append(template.texts().get(template.names().size())).toString();
    }

    private static void bind(PreparedStatement statement, List<? extends @Nullable Object> values) throws SQLException {
        for (int i = 0; i < values.size(); i++) {
            Object value = values.get(i);
            if (value instanceof String text) {
                statement.setString(i + 1, text);
            } else if (value instanceof Long number) {
                statement.setLong(i + 1, number);
            } else if (value instanceof byte[] bytes) {
                statement.setBytes(i + 1, bytes);
            } else if (value instanceof ArrayValue array) {
                Array made = statement.getConnection().createArrayOf(array.type(), array.values());
                statement.setArray(i + 1, made);
            } else if (value == null) {
                statement.setNull(i + 1, java.sql.Types.VARCHAR);
            } else {
                statement.setObject(i + 1, value);
            }
        }
    }

    /** A list that is one parameter, where the database has arrays. */
    @SuppressWarnings("ArrayRecordComponent") // made for one execution, never compared
    record ArrayValue(String type, @Nullable Object[] values) {}

    private static <T extends @Nullable Object> List<T> padded(List<T> values) {
        for (int length : LENGTHS) {
            if (values.size() == length) {
                return values;
            }
            if (values.size() < length) {
                List<T> padded = new ArrayList<>(values);
                while (padded.size() < length) {
                    padded.add(values.get(values.size() - 1));
                }
                return padded;
            }
        }
        throw new IllegalArgumentException("a list of " + values.size() + " is longer than " + MOST_VALUES);
    }
}
