package dev.waybill.servers.rocketmq;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.store.ha.HAConnectionState;

/**
 * Main class: {@code RocketMqSlave <data folder> <name server port> <broker port> <replication port> <master's replication
 * port>}. The slave of {@link RocketMqServer}'s second broker. Prints {@code READY} once it copies what that one stores.
 */
public final class RocketMqSlave {

    /** The name that a master and its slave share. */
    static final String MASTER = "replicated";

    private RocketMqSlave() {}

    public static void main(String[] args) throws Exception {
        LoopbackBroker.prepareProcess();
        var slave = new LoopbackBroker(Path.of(args[0]), MASTER, Integer.parseInt(args[1]))
                .asSlave(Integer.parseInt(args[3]))
                .listeningOn(Integer.parseInt(args[2]));
        if (!slave.initialize()) {
            throw new IOException("the slave did not initialise");
        }
        slave.getMessageStore().updateHaMasterAddress(LoopbackBroker.LOOPBACK + ":" + args[4]);
        slave.start();
        var replication = slave.getMessageStore().getHaService().getHAClient();
        while (replication.getCurrentState() != HAConnectionState.TRANSFER) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        System.out.println("READY");
    }
}
