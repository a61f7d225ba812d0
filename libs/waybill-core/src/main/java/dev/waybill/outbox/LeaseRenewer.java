package dev.waybill.outbox;

import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Lease;
import dev.waybill.store.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews what the relay holds when a third of its lease is gone. At full speed nothing lives that long. */
final class LeaseRenewer {

    private static final Logger log = LoggerFactory.getLogger(LeaseRenewer.class);
    private static final int CHUNK = 500;

    private final RelayParts parts;
    private final Lease lease;
    private final HandoffQueue intake;
    private final long third;
    private long lastLook;

    LeaseRenewer(RelayParts parts, Lease lease, HandoffQueue intake) {
        this.parts = parts;
        this.lease = lease;
        this.intake = intake;
        this.third = lease.duration().toNanos() / 3;
        this.lastLook = parts.ticker().getAsLong();
    }

    void renewDue() {
        long now = parts.ticker().getAsLong();
        if (now - lastLook < third / 4) {
            return;
        }
        lastLook = now;
        List<Held> due = new ArrayList<>();
        for (Held held : intake.holdings()) {
            if (!held.isLost() && held.remaining(now) < 2 * third) {
                due.add(held);
            }
        }
        try {
            for (int from = 0; from < due.size(); from += CHUNK) {
                renew(due.subList(from, Math.min(due.size(), from + CHUNK)));
            }
        } catch (StoreException e) {
            // answers that wait to be written will run into the same trouble and say so
            log.debug("[OutboxRelay] Renew failed, {} leases run on", due.size(), e);
        }
    }

    private void renew(List<Held> due) {
        long before = parts.ticker().getAsLong();
        Map<String, Held> byKey = new HashMap<>();
        List<ClaimedEvent> claimedEvents = new ArrayList<>(due.size());
        for (Held held : due) {
            byKey.put(held.claimed().rowKey(), held);
            claimedEvents.add(held.claimed());
        }
        for (ClaimedEvent still : parts.store().renew(lease, claimedEvents)) {
            Held held = byKey.remove(still.rowKey());
            if (held != null) {
                held.renewed(still, before + lease.duration().toNanos());
            }
        }
        byKey.values().forEach(Held::lost); // counted when their endings are settled in vain
    }
}
