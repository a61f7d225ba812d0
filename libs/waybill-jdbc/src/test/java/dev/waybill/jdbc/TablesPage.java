package dev.waybill.jdbc;

import java.util.ArrayList;
import java.util.List;

/** The generated parts of docs/tables.md. */
final class TablesPage {

    private TablesPage() {}

    static String layoutRow(TableMapping mapping) {
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
        for (TableMapping mapping : Layouts.all()) {
            String name = mapping.column(column);
            row.append(name == null ? " – |" : " `" + name + "` |");
        }
        return row.toString();
    }

    public static void main(String[] arguments) {
        Layouts.all().forEach(mapping -> System.out.println(layoutRow(mapping)));
        for (OutboxColumn column : OutboxColumn.values()) {
            System.out.println(columnRow(column));
        }
    }
}
