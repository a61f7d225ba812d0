package dev.waybill.inventory.domain;

import java.util.List;

/** What the gate says to an order. It is an opinion: the database decides. */
public sealed interface Admission {

    /** Everything is held for the order. */
    record Held() implements Admission {}

    /** Nothing is held: of these keys the gate has less than the order wants. */
    record TooFew(List<StockKey> keys) implements Admission {}

    /** Nothing is held: of these keys the gate knows nothing. Tell it, and ask again. */
    record Unknown(List<StockKey> keys) implements Admission {}
}
