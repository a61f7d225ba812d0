package dev.waybill.testkit;

import dev.waybill.message.DeadLetter;
import dev.waybill.store.DeadLetterStore;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import dev.waybill.store.OperatorDecision;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What the rules of stored dead letters share: some letters, and an operator. */
interface DeadLetterStoreRules {

    OperatorDecision ANN = new OperatorDecision("ann", "fixed the handler");

    DeadLetterFixture fixture();

    default DeadLetterStore store() {
        return fixture().store();
    }

    default DeadLetter letter(String key, String group, String error) {
        return new DeadLetter(
                key,
                "order.queue",
                group,
                "message-" + key,
                Map.of("x-waybill-trace", "t-" + key, "键", "值 \u0000"),
                ("{\"key\":\"" + key + "\"}").getBytes(StandardCharsets.UTF_8),
                error);
    }

    /** Saves an OPEN letter of the event of this name. */
    default StoredLetter save(String key) {
        store().save(letter(key, "stock", "no stock"), "event-" + key, "OrderCreated");
        List<StoredLetter> all = store().list(Filter.any(), 1_000, 0);
        return all.get(all.size() - 1);
    }

    default StoredLetter found(StoredLetter saved) {
        return Objects.requireNonNull(store().find(saved.id()).orElse(null));
    }
}
