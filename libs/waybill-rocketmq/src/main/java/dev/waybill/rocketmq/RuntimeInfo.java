package dev.waybill.rocketmq;

import dev.waybill.rocketmq.RocketMqFigures.Brokers;
import java.util.Map;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.protocol.body.HARuntimeInfo.HAConnectionRuntimeInfo;

/** One master's figures, which it tells as texts for people. */
final class RuntimeInfo {

    private static final String DISK_RATIO = "commitLogDiskRatio";
    private static final String TO_FLUSH = "remainHowManyDataToFlush";
    private static final String DELAY_LEVEL = "scheduleMessageOffset_";
    private static final String UNITS = "BKMGTPE";

    private RuntimeInfo() {}

    static Brokers of(MQClientAPIImpl client, String address, long millis)
            throws RemotingException, MQBrokerException, InterruptedException {
        Map<String, String> told = client.getBrokerRuntimeInfo(address, millis).getTable();
        return new Brokers(
                Double.parseDouble(told.getOrDefault(DISK_RATIO, "NaN")),
                bytes(told.getOrDefault(TO_FLUSH, "")),
                replicaBehind(client, address, millis),
                delayed(told));
    }

    /** As RocketMQ writes them: {@code 17 B}, {@code 1.5 KiB}. */
    static double bytes(String text) {
        String[] parts = text.strip().split(" ", -1);
        int unit = parts.length == 2 && !parts[1].isEmpty() ? UNITS.indexOf(parts[1].charAt(0)) : -1;
        if (unit < 0) {
            return Double.NaN;
        }
        try {
            return Double.parseDouble(parts[0].replace(',', '.'))
                    * Math.pow(1_024, unit); // the broker's language decides
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /** Each level is told as the offset that has been delivered and the last one there is. */
    static double delayed(Map<String, String> told) {
        double delayed = 0;
        for (Map.Entry<String, String> entry : told.entrySet()) {
            if (entry.getKey().startsWith(DELAY_LEVEL)) {
                String[] offsets = entry.getValue().split(",", -1);
                try {
                    delayed += Math.max(0, Long.parseLong(offsets[1].strip()) - Long.parseLong(offsets[0].strip()));
                } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                    return Double.NaN;
                }
            }
        }
        return delayed;
    }

    private static double replicaBehind(MQClientAPIImpl client, String address, long millis)
            throws RemotingException, InterruptedException {
        try {
            return client.getBrokerHAStatus(address, millis).getHaConnectionInfo().stream()
                    .mapToLong(HAConnectionRuntimeInfo::getDiff)
                    .max()
                    .orElse(0);
        } catch (MQBrokerException e) {
            return Double.NaN; // a broker whose replicas are kept in another way
        }
    }
}
