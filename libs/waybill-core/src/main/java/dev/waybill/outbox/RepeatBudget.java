package dev.waybill.outbox;

/**
 * Bounds what a crash sends twice: events at the broker and events answered but not yet written. Together they are never
 * more than one full window and one full batch of settlements.
 */
final class RepeatBudget {

    private final int most;
    private final SendWindow window;
    private final SettlementQueue settlements;

    RepeatBudget(RelaySettings settings, SendWindow window, SettlementQueue settlements) {
        this.most = settings.maxWindow() + settings.settleBatch();
        this.window = window;
        this.settlements = settlements;
    }

    /** How many more events may be sent now; zero or less for none. */
    int room() {
        return most - window.inFlight() - settlements.unsettled();
    }
}
