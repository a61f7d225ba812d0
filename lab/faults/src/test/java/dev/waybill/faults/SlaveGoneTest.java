package dev.waybill.faults;

import dev.waybill.message.Destination;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.ReplicatedRocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A SYNC_MASTER of RocketMQ loses its slave for minutes: it stores what it gets, and confirms nothing. */
@Servers(Server.MARIADB)
@Tag("outage")
class SlaveGoneTest {

    @Test
    void aMasterWithoutItsSlaveKillsNoEventSpendsNoAttemptAndSlowsNoOtherTopic(MariaDb sql)
            throws InterruptedException {
        try (ReplicatedRocketMq brokers = ReplicatedRocketMq.start()) {
            brokers.createTopic("FAULTS_OTHERS");
            try (RelayTestEnvironment environment = RelayTestEnvironment.onReplicatedTopic(sql, brokers);
                    RocketMqArrivals others = new RocketMqArrivals(brokers.nameServer(), "FAULTS_OTHERS");
                    RefusedTopicLoad load = new RefusedTopicLoad(
                            environment, Destination.of("FAULTS_OTHERS", "ORDER_CREATED"), others)) {
                load.flows();
                load.isRefusedBy(brokers::killSlave);
                load.recoversAfter(brokers::startSlave, environment.arrivals);
            }
        }
    }
}
