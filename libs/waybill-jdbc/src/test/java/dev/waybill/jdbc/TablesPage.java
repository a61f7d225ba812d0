package dev.waybill.jdbc;

import java.util.ArrayList;
import java.util.List;

/** The generated parts of docs/tables.md. */
final class TablesPage {

    private TablesPage() {}

    static String layoutRow(OutboxMapping mapping) {
        List<String> words = new ArrayList<>();
        for (OutboxState state : OutboxState.values()) {
            String word = mapping.word(state);
            if (word != null) {
                words.add(state + "=" + word);
            }
        }
        return "| `" + mapping.layout() + "` | `" + mapping.table() + "` | " + mapping.fence() + " | "
                + String.join(" ", words) + " |";
    }

    static String columnRow(OutboxColumn column) {
        StringBuilder row = new StringBuilder("| " + column + " |");
        for (OutboxMapping mapping : OutboxLayouts.all()) {
            String name = mapping.column(column);
            row.append(name == null ? " – |" : " `" + name + "` |");
        }
        return row.toString();
    }

    static String inboxLayoutRow(InboxMapping mapping) {
        List<String> words = new ArrayList<>();
        for (InboxState state : InboxState.values()) {
            String word = mapping.word(state);
            if (word != null) {
                words.add(state + "=" + word);
            }
        }
        String key = mapping.key().stream()
                .map(mapping::column)
                .collect(java.util.stream.Collectors.joining(", ", "`(", ")`"));
        return "| `" + mapping.layout() + "` | `" + mapping.table() + "` | " + key + " | "
                + (words.isEmpty() ? "a row means done" : String.join(" ", words)) + " |";
    }

    static String inboxColumnRow(InboxColumn column) {
        StringBuilder row = new StringBuilder("| " + column + " |");
        for (InboxMapping mapping : InboxLayouts.all()) {
            String name = mapping.column(column);
            row.append(name == null ? " – |" : " `" + name + "` |");
        }
        return row.toString();
    }

    public static void main(String[] arguments) {
        OutboxLayouts.all().forEach(mapping -> System.out.println(layoutRow(mapping)));
        for (OutboxColumn column : OutboxColumn.values()) {
            System.out.println(columnRow(column));
        }
        InboxLayouts.all().forEach(mapping -> System.out.println(inboxLayoutRow(mapping)));
        for (InboxColumn column : InboxColumn.values()) {
            System.out.println(inboxColumnRow(column));
        }
    }
}
