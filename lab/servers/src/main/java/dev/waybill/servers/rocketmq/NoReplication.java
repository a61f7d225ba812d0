package dev.waybill.servers.rocketmq;

import org.apache.rocketmq.store.ha.DefaultHAService;

/**
 * Keeps the replication port closed: RocketMQ would bind it on every interface, and a private broker has no replica.
 * Found by the store through {@code META-INF/service}.
 */
public final class NoReplication extends DefaultHAService {

    @Override
    public void start() {}

    @Override
    public void shutdown() {}
}
