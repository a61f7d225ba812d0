package dev.waybill.outbox;

import dev.waybill.retry.RetryRules;
import dev.waybill.store.OutboxStore;
import dev.waybill.transport.Transport;

/**
 * What every run of a relay works with, and what outlives a run: an outage does not end because the relay begins anew, and
 * its counts go on.
 */
record RelayContext(
        OutboxStore store,
        Transport transport,
        RelaySettings settings,
        RetryRules retries,
        MessageFactory messages,
        RelayReporter reporter,
        Breakers breakers,
        RelayHooks hooks) {}
