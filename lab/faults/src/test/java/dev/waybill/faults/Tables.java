package dev.waybill.faults;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A node's database, looked at from outside, each time on a connection of its own. */
record Tables(NodeSettings spec) {

    long count(String sql) {
        return Long.parseLong(texts(sql, 1).get(0));
    }

    List<String> texts(String sql) {
        return texts(sql, 1);
    }

    List<String> texts(String sql, int column) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> texts = new ArrayList<>();
            while (rows.next()) {
                texts.add(rows.getString(column));
            }
            return texts;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    void executeAll(List<String> statements) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (String sql : statements) {
                statement.execute(sql);
            }
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(statements.get(0), e);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(spec.text("url"), spec.text("user"), spec.text("password"));
    }
}
