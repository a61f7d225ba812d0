package dev.waybill.rocketmq;

import dev.waybill.transport.TransportException;
import dev.waybill.transport.TransportException.Reason;
import java.time.Duration;
import java.util.UUID;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.jspecify.annotations.Nullable;

/** Makes and starts the client's producer from what the transport was told, or refuses. */
final class ClientProducers {

    /** A topic to copy from that no broker has, so that none creates a topic for us. */
    private static final String NO_TEMPLATE = "WAYBILL_CREATES_NO_TOPICS";

    private ClientProducers() {}

    static DefaultMQProducer make(RocketMqTransport.Builder told) {
        check(told);
        DefaultMQProducer producer = new DefaultMQProducer(told.producerGroup, told.rpcHook);
        producer.setNamesrvAddr(told.nameServers);
        // Clients of one name share connections and fate: closing one transport would close another's.
        producer.setInstanceName("waybill-" + UUID.randomUUID());
        producer.setSendMsgTimeout(millis(told.sendTimeout));
        producer.setMqClientApiTimeout(millis(told.sendTimeout.dividedBy(2))); // a slow name server leaves time to send
        producer.setPollNameServerInterval(millis(told.pollNameServer));
        producer.setMaxMessageSize(told.maxMessageSize);
        producer.setCompressMsgBodyOverHowmuch(Integer.MAX_VALUE); // batches are not compressed either
        producer.setRetryAnotherBrokerWhenNotStoreOK(true);
        producer.setRetryTimesWhenSendFailed(1); // one other broker at once; the rest is the relay's back-off
        if (!told.createTopics) {
            producer.setCreateTopicKey(NO_TEMPLATE);
        }
        told.adjustment.accept(producer);
        refuseUnless(producer.isRetryAnotherBrokerWhenNotStoreOK(), "retryAnotherBrokerWhenNotStoreOK=false", "true");
        try {
            producer.start();
        } catch (MQClientException e) {
            throw new TransportException(Reason.BAD_SETTING, "the producer does not start: " + e.getMessage(), e);
        }
        return producer;
    }

    private static void check(RocketMqTransport.Builder told) {
        refuseUnless(told.retryAnotherBrokerWhenNotStoreOK, "retryAnotherBrokerWhenNotStoreOK=false", "true");
        refuseUnless(told.waitStoreMsgOK, "waitStoreMsgOK=false", "true");
        require(!told.nameServers.isBlank(), "nameServers is empty", null);
        require(told.sendTimeout.toMillis() > 0, "sendTimeout must be longer than nothing", null);
        require(told.pollNameServer.toMillis() > 0, "pollNameServer must be longer than nothing", null);
        require(told.maxMessageSize > 0, "maxMessageSize must be at least 1", null);
        require(told.batchesInFlight > 0, "batchesInFlight must be at least 1", null);
        require(told.batchLimit > 0, "batchLimit must be at least 1", null);
    }

    private static void refuseUnless(boolean safe, String setting, String instead) {
        if (!safe) {
            throw new TransportException(
                    Reason.UNSAFE_SETTING,
                    setting + " would lose messages; set " + setting.replaceFirst("=.*", "=" + instead),
                    null);
        }
    }

    private static void require(boolean sensible, String objection, @Nullable Throwable cause) {
        if (!sensible) {
            throw new TransportException(Reason.BAD_SETTING, objection, cause);
        }
    }

    private static int millis(Duration duration) {
        return Math.toIntExact(duration.toMillis());
    }
}
