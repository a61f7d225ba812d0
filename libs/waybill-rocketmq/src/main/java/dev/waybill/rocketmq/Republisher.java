package dev.waybill.rocketmq;

import dev.waybill.message.DeadLetter;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendResult.NotConfirmed;
import java.util.Map;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageClientIDSetter;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages to their group's retry topic: for another delivery, to the dead letters, or for a replay. The broker
 * itself counts the deliveries and moves a message that has used them up to the group's dead-letter topic; that is how
 * ordered consumers return messages. Unlike the client's own "send back", the error goes with the message, and only SEND_OK
 * counts.
 */
final class Republisher {

    private final RocketMqTransport.Builder builder;
    private @Nullable DefaultMQProducer producer;
    private boolean closed;

    Republisher(RocketMqTransport.Builder builder) {
        this.builder = builder;
    }

    SendResult again(String topic, String group, MessageExt failed, int delayLevel, String error) {
        Message message = copy(topic, group, failed, error);
        if (delayLevel > 0) {
            message.setDelayTimeLevel(delayLevel);
        }
        return sendCopy(message, failed.getReconsumeTimes() + 1, Integer.MAX_VALUE);
    }

    /** The same message later, its deliveries not counted and its error unchanged. */
    SendResult postpone(String topic, String group, MessageExt refused, int delayLevel) {
        Message message = copy(topic, group, refused);
        int before = RocketMqProperties.postponed(refused);
        MessageAccessor.putProperty(message, RocketMqProperties.POSTPONED, Integer.toString(before + 1));
        message.setDelayTimeLevel(delayLevel);
        return send(message, refused.getReconsumeTimes(), Integer.MAX_VALUE);
    }

    /**
     * The copy allows no further delivery, so the broker moves it to the group's dead-letter topic. A broker that refuses the
     * copy for good, because its limits are lower than when the original came or its keys leave no room for ours, gets less and
     * less of it: a letter without its headers, or even without its body, is found, and says where the original lies.
     */
    SendResult deadLetter(String topic, String group, MessageExt failed, String error) {
        int deliveries = failed.getReconsumeTimes() + 1;
        SendResult result = sendCopy(copy(topic, group, failed, error), deliveries, 0);
        if (refusedForGood(result)) {
            String note = "without its headers, " + place(failed) + ": " + error;
            result = send(remains(topic, group, failed, RocketMqProperties.body(failed), note), deliveries, 0);
        }
        if (refusedForGood(result)) {
            String note = "without headers and body, " + place(failed) + ": " + error;
            result = send(remains(topic, group, failed, new byte[0], note), deliveries, 0);
        }
        return result;
    }

    SendResult replay(String topic, String group, DeadLetter letter) {
        Message message = RocketMqProperties.toRetryTopic(
                MixAll.getRetryTopic(group), topic, RocketMqProperties.forReplay(letter), letter.body());
        return send(message, 0, Integer.MAX_VALUE);
    }

    /** A message without an id gets one, so that a crash between two copies does not make two letters of it. */
    private static Message copy(String topic, String group, MessageExt failed) {
        Map<String, String> texts = RocketMqProperties.of(failed);
        texts.putIfAbsent(MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX, RocketMqProperties.uniqueId(failed));
        Message message = RocketMqProperties.toRetryTopic(
                MixAll.getRetryTopic(group), topic, texts, RocketMqProperties.body(failed));
        message.setFlag(failed.getFlag());
        return message;
    }

    private static Message copy(String topic, String group, MessageExt failed, String error) {
        Message message = copy(topic, group, failed);
        RocketMqProperties.putError(message, error);
        return message;
    }

    private static Message remains(String topic, String group, MessageExt failed, byte[] body, String note) {
        Map<String, String> texts = Map.of(
                MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX,
                DeadLetterKey.fitting(RocketMqProperties.uniqueId(failed)),
                MessageConst.PROPERTY_KEYS,
                RocketMqProperties.beginning(RocketMqProperties.messageId(failed)));
        Message message = RocketMqProperties.toRetryTopic(MixAll.getRetryTopic(group), topic, texts, body);
        RocketMqProperties.putError(message, note);
        return message;
    }

    static String place(MessageExt failed) {
        return "broker " + failed.getBrokerName() + " has all of it as " + failed.getTopic() + " queue "
                + failed.getQueueId() + " offset " + failed.getQueueOffset();
    }

    static boolean refusedForGood(SendResult result) {
        return result instanceof NotConfirmed refused && refused.failure().permanent();
    }

    /** If the error was too much for the properties, it stays behind: the original went through without it. */
    private SendResult sendCopy(Message message, int reconsumeTimes, int allowed) {
        SendResult result = send(message, reconsumeTimes, allowed);
        if (refusedForGood(result)) {
            RocketMqProperties.putError(message, "");
            return send(message, reconsumeTimes, allowed);
        }
        return result;
    }

    private SendResult send(Message message, int reconsumeTimes, int allowed) {
        MessageAccessor.setReconsumeTime(message, Integer.toString(reconsumeTimes));
        MessageAccessor.setMaxReconsumeTimes(message, Integer.toString(allowed));
        try {
            NotConfirmed refusal = RocketMqErrors.of(producer().send(message));
            return refusal == null ? new SendResult.Confirmed(MessageClientIDSetter.getUniqID(message)) : refusal;
        } catch (MQClientException | RemotingException | MQBrokerException | RuntimeException e) {
            return RocketMqErrors.of(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new NotConfirmed(SendFailure.CONNECTION_LOST, "interrupted");
        }
    }

    /** Made on demand; also the way to the broker for whoever has a question. */
    synchronized DefaultMQProducer producer() {
        if (closed) {
            throw new IllegalStateException("closed");
        }
        DefaultMQProducer current = producer;
        if (current == null) {
            current = ClientProducers.make(builder);
            producer = current;
        }
        return current;
    }

    synchronized void close() {
        closed = true;
        if (producer != null) {
            BackgroundShutdown.of(producer::shutdown, builder.name);
            producer = null;
        }
    }
}
