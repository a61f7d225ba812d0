package dev.waybill.inventory.domain;

import java.util.List;

/** What became of an order's event. */
public sealed interface Outcome {

    record Reserved(Basket basket) implements Outcome {}

    record Refused(List<ShortItem> shortItems) implements Outcome {}

    record Released(Basket basket) implements Outcome {}

    /** A cancel came first: noted, so that its order reserves nothing. */
    record Tombstone() implements Outcome {}

    /** Nothing to do, for good. */
    record Ignored(String reason) implements Outcome {}
}
