package dev.waybill.outbox;

import dev.waybill.message.LogText;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.StoreException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews the leases of what is in flight when a third of a lease is over. At full speed nothing is in flight for that long. */
final class LeaseRenewer {

    private static final Logger log = LoggerFactory.getLogger(LeaseRenewer.class);
    private static final int CHUNK = 500;

    private final OutboxStore store;
    private final InFlightEvents inFlight;
    private final RelayHooks hooks;
    private final long third;
    private long lastLook;

    LeaseRenewer(OutboxStore store, InFlightEvents inFlight, RelayHooks hooks) {
        this.store = store;
        this.inFlight = inFlight;
        this.hooks = hooks;
        this.third = inFlight.lease().duration().toNanos() / 3;
        this.lastLook = hooks.now();
    }

    void renewDue() {
        long now = hooks.now();
        if (now - lastLook < third / 4) {
            return;
        }
        lastLook = now;
        List<ClaimedEvent> due = new ArrayList<>();
        for (ClaimedEvent event : inFlight.all()) {
            if (!event.isLost() && event.leaseLeft(now) < 2 * third) {
                due.add(event);
            }
        }
        try {
            for (int from = 0; from < due.size(); from += CHUNK) {
                renew(due.subList(from, Math.min(due.size(), from + CHUNK)));
            }
        } catch (StoreException e) {
            // settlements that wait will run into the same trouble and say so
            log.debug("[OutboxRelay] Renew failed, {} leases run on", due.size(), LogText.thrown(e));
        }
    }

    private void renew(List<ClaimedEvent> due) {
        long before = hooks.now();
        Set<ClaimedEvent> lost = new HashSet<>(due);
        for (ClaimedEvent renewed : store.renew(inFlight.lease(), due)) {
            inFlight.extend(renewed, before);
            lost.remove(renewed);
        }
        lost.forEach(ClaimedEvent::lost); // counted when they are settled in vain
    }
}
