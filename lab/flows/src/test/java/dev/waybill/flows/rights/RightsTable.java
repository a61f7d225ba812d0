package dev.waybill.flows.rights;

import dev.waybill.servicetestkit.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** The table as {@code docs/services.md} has it. */
final class RightsTable {

    /** One request of one caller, and what the document says of it: a status, or {@code empty}. */
    record Cell(String service, String request, Who who, String expected) {

        String deed() {
            return service + " " + request;
        }
    }

    private RightsTable() {}

    /** Every cell that says something. */
    static List<Cell> read(String document) throws IOException {
        String text = Files.readString(ProjectFiles.file(document));
        String table = text.substring(text.indexOf("<!-- rights -->"), text.indexOf("<!-- /rights -->"));
        List<Cell> cells = new ArrayList<>();
        table.lines().filter(line -> line.startsWith("| ")).skip(2).forEach(line -> {
            List<String> columns = List.of(line.substring(1).split("\\|", -1)).stream()
                    .map(String::strip)
                    .toList();
            for (Who who : Who.values()) {
                String expected = columns.get(who.column);
                if (!expected.equals("–")) {
                    cells.add(new Cell(columns.get(0), columns.get(1).replace("`", ""), who, expected));
                }
            }
        });
        return cells;
    }
}
