package dev.waybill.rocketmq;

import dev.waybill.transport.TransportException;
import dev.waybill.transport.TransportException.Reason;
import java.time.Duration;
import java.util.UUID;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.jspecify.annotations.Nullable;

/** Makes and starts the client's producer from the settings of the transport, or refuses. */
final class ClientProducers {

    /** A topic to copy from that no broker has, so that none creates a topic for us. */
    private static final String NO_TEMPLATE = "WAYBILL_CREATES_NO_TOPICS";

    private ClientProducers() {}

    static DefaultMQProducer make(RocketMqTransport.Builder builder) {
        check(builder);
        DefaultMQProducer producer = new FailoverProducer(builder.producerGroup, builder.rpcHook);
        producer.setNamesrvAddr(builder.nameServers);
        // Clients of one name share connections and fate: closing one transport would close another's.
        producer.setInstanceName("waybill-" + UUID.randomUUID());
        producer.setSendMsgTimeout(millis(builder.sendTimeout));
        producer.setMqClientApiTimeout(
                millis(builder.sendTimeout.dividedBy(2))); // a slow name server leaves time to send
        producer.setPollNameServerInterval(millis(builder.pollNameServer));
        producer.setMaxMessageSize(builder.maxMessageSize);
        producer.setCompressMsgBodyOverHowmuch(Integer.MAX_VALUE); // batches are not compressed either
        producer.setRetryAnotherBrokerWhenNotStoreOK(true);
        producer.setRetryTimesWhenSendFailed(
                1); // one other broker, where there is one; the rest is the relay's back-off
        if (!builder.createTopics) {
            producer.setCreateTopicKey(NO_TEMPLATE);
        }
        builder.adjustment.accept(producer);
        refuseUnless(producer.isRetryAnotherBrokerWhenNotStoreOK(), "retryAnotherBrokerWhenNotStoreOK=false", "true");
        try {
            producer.start();
        } catch (MQClientException e) {
            throw new TransportException(Reason.BAD_SETTING, "the producer does not start: " + e.getMessage(), e);
        }
        return producer;
    }

    private static void check(RocketMqTransport.Builder builder) {
        refuseUnless(builder.retryAnotherBrokerWhenNotStoreOK, "retryAnotherBrokerWhenNotStoreOK=false", "true");
        refuseUnless(builder.waitStoreMsgOK, "waitStoreMsgOK=false", "true");
        require(!builder.nameServers.isBlank(), "nameServers is empty", null);
        require(builder.sendTimeout.toMillis() > 0, "sendTimeout must be longer than nothing", null);
        require(builder.pollNameServer.toMillis() > 0, "pollNameServer must be longer than nothing", null);
        require(builder.maxMessageSize > 0, "maxMessageSize must be at least 1", null);
        require(builder.batchesInFlight > 0, "batchesInFlight must be at least 1", null);
        require(builder.batchLimit > 0, "batchLimit must be at least 1", null);
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
