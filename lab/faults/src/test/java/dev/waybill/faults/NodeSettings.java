package dev.waybill.faults;

import dev.waybill.servers.Database;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a node is made of, as names and values, so that it can be given to another process as arguments. */
record NodeSettings(Map<String, String> facts) {

    NodeSettings {
        facts = new LinkedHashMap<>(facts);
    }

    static NodeSettings on(Database database) {
        return new NodeSettings(
                Map.of("url", database.jdbcUrl(), "user", database.user(), "password", database.password()));
    }

    static NodeSettings parse(String[] arguments) {
        Map<String, String> facts = new LinkedHashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            facts.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        return new NodeSettings(facts);
    }

    NodeSettings with(String name, Object value) {
        Map<String, String> more = new LinkedHashMap<>(facts);
        more.put(name, String.valueOf(value));
        return new NodeSettings(more);
    }

    String[] arguments() {
        List<String> arguments = new ArrayList<>();
        facts.forEach((name, value) -> arguments.add(name + "=" + value));
        return arguments.toArray(String[]::new);
    }

    String text(String name, String otherwise) {
        return facts.getOrDefault(name, otherwise);
    }

    String text(String name) {
        String value = facts.get(name);
        if (value == null) {
            throw new IllegalArgumentException("a node needs " + name);
        }
        return value;
    }

    int number(String name, int otherwise) {
        return Integer.parseInt(text(name, String.valueOf(otherwise)));
    }
}
