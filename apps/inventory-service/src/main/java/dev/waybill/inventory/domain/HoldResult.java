package dev.waybill.inventory.domain;

import java.util.List;

/** What the gate answers to an order. The database has the last word. */
public sealed interface HoldResult {

    /** All lines are held for the order. */
    record Held() implements HoldResult {}

    /** Nothing is held: of these keys the gate has less than the order wants. Without a gate: of none. */
    record TooFew(List<StockKey> keys) implements HoldResult {}

    /** Nothing is held: the gate has no level of these keys. Give it the levels and ask again. */
    record Unknown(List<StockKey> keys) implements HoldResult {}
}
