package dev.waybill.peers.modulith;

import org.springframework.modulith.events.Externalized;

/** The event, externalised to the bench's exchange and routing key. */
@Externalized("bench::bench.event")
public record OrderCreated(String n, String x) {}
