package dev.waybill.outbox;

import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.message.BodyFormat;
import dev.waybill.retry.RetryRules;
import dev.waybill.store.OutboxStore;
import dev.waybill.transport.Transport;
import java.util.function.LongSupplier;

/** What a relay is made of. */
record RelayParts(
        OutboxStore store,
        Transport transport,
        Router router,
        RetryRules retries,
        BodyFormat bodyFormat,
        RelaySettings settings,
        RelayListener listener,
        Checkpoints checkpoints,
        LongSupplier ticker) {}
