package dev.waybill.inventory.domain;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An order's lines: one for each key, sorted in the order in which rows are locked. */
public record OrderLines(String orderNo, List<Line> items) {

    /** Lines of the same key are added up. */
    public OrderLines {
        Map<StockKey, Long> wanted = new TreeMap<>();
        items.forEach(line -> wanted.merge(line.key(), line.quantity(), Math::addExact));
        items = wanted.entrySet().stream()
                .map(entry -> new Line(entry.getKey(), entry.getValue()))
                .toList();
    }

    public List<StockKey> keys() {
        return items.stream().map(Line::key).toList();
    }
}
