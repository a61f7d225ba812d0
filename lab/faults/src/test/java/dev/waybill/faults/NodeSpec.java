package dev.waybill.faults;

import dev.waybill.servers.Database;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a node is to be: facts as words, so that they can cross to another process as arguments. */
record NodeSpec(Map<String, String> facts) {

    NodeSpec {
        facts = new LinkedHashMap<>(facts);
    }

    static NodeSpec on(Database database) {
        return new NodeSpec(
                Map.of("url", database.jdbcUrl(), "user", database.user(), "password", database.password()));
    }

    static NodeSpec parse(String[] arguments) {
        Map<String, String> facts = new LinkedHashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            facts.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        return new NodeSpec(facts);
    }

    NodeSpec with(String name, Object value) {
        Map<String, String> more = new LinkedHashMap<>(facts);
        more.put(name, String.valueOf(value));
        return new NodeSpec(more);
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
