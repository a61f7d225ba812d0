package dev.waybill.rocketmq;

import dev.waybill.message.HandlerResult;
import dev.waybill.message.LogText;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.SubscriptionSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyContext;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client's listener. It returns only when every message has a result that the broker knows of: a receiver that threw is
 * asked again, a copy that was not confirmed is published again. So the client sees only success and never counts a delivery
 * by itself. At a stop, messages without a result are dropped, and the broker delivers them again.
 */
final class RocketMqListener implements MessageListenerConcurrently {

    private static final Logger log = LoggerFactory.getLogger(RocketMqListener.class);

    private static final int MOST_ERRORS = 3;
    private static final int LARGEST_COUNT = 1_000_000;

    private final SubscriptionSpec spec;
    private final Receiver receiver;
    private final ClientThreads threads;
    private final ReceiverPatience patience;
    private final StoppablePause pauses = new StoppablePause();
    private final Acknowledger acknowledger;

    RocketMqListener(
            SubscriptionSpec spec,
            Receiver receiver,
            Republisher republisher,
            ClientThreads threads,
            ReceiverPatience patience) {
        this.spec = spec;
        this.receiver = receiver;
        this.threads = threads;
        this.patience = patience;
        this.acknowledger = new Acknowledger(spec, republisher, threads, pauses);
    }

    @Override
    public ConsumeConcurrentlyStatus consumeMessage(List<MessageExt> messages, ConsumeConcurrentlyContext context) {
        messages.forEach(message -> checkCount(message, context.getMessageQueue()));
        if (threads.begin(messages, context.getMessageQueue())) {
            try {
                answer(messages);
                threads.answered();
                return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
            } catch (InterruptedException e) {
                threads.leaveAtStop();
                Thread.currentThread().interrupt();
            }
        }
        threads.giveUp(context.getMessageQueue());
        return ConsumeConcurrentlyStatus.RECONSUME_LATER; // ignored: the client has dropped the queue
    }

    /**
     * The number of deliveries stands in the message, where a sender may write what it likes. Only in the group's retry topic,
     * and among its dead letters, it comes from here or from the broker.
     */
    private static void checkCount(MessageExt message, MessageQueue queue) {
        boolean counted = queue.getTopic().startsWith(MixAll.RETRY_GROUP_TOPIC_PREFIX)
                || queue.getTopic().startsWith(MixAll.DLQ_GROUP_TOPIC_PREFIX);
        int times = message.getReconsumeTimes();
        if (!counted || times < 0 || times > LARGEST_COUNT) {
            message.setReconsumeTimes(0);
        }
    }

    /** From now on a thread that has no result yet returns without one. */
    void stop() {
        pauses.stop();
    }

    private void answer(List<MessageExt> messages) throws InterruptedException {
        List<HandlerResult> results;
        try {
            results = ask(messages);
        } catch (RefusedException e) {
            for (MessageExt message : messages) {
                acknowledger.postpone(message, patience, e);
            }
            return;
        }
        for (int i = 0; i < messages.size(); i++) {
            acknowledger.acknowledge(messages.get(i), results.get(i));
        }
    }

    private List<HandlerResult> ask(List<MessageExt> messages) throws InterruptedException, RefusedException {
        List<Delivery> deliveries = messages.stream().map(this::delivery).toList();
        Duration pause = StoppablePause.FIRST;
        int errors = 0;
        long patient = System.nanoTime() + patience.inPlace().toNanos();
        while (true) {
            Throwable thrown;
            try {
                return receiver.receiveAll(deliveries);
            } catch (InterruptedException e) {
                if (pauses.isStopping()) {
                    throw e;
                }
                thrown = e;
            } catch (RuntimeException e) {
                thrown = e;
            } catch (Error e) {
                thrown = e;
                if (++errors == MOST_ERRORS) {
                    return giveBack(messages, e);
                }
            }
            if (System.nanoTime() - patient >= 0) {
                throw new RefusedException(thrown);
            }
            log.warn(
                    "[RocketMqSubscriptions] The receiver answered nothing, asking again in {} ms topic={} group={} cause={}",
                    pause.toMillis(),
                    spec.source(),
                    spec.group(),
                    LogText.sentence(String.valueOf(thrown)));
            log.debug(
                    "[RocketMqSubscriptions] Why the receiver answered nothing topic={}",
                    spec.source(),
                    LogText.thrown(thrown));
            pause = pauses.await(pause);
        }
    }

    /**
     * What makes the JVM fail again and again is a matter of the delivery, and costs it an attempt. Of a batch nobody knows
     * which delivery it is, so they are offered one by one.
     */
    private List<HandlerResult> giveBack(List<MessageExt> messages, Error error)
            throws InterruptedException, RefusedException {
        if (messages.size() == 1) {
            return List.of(new HandlerResult.Retry(error.toString()));
        }
        List<HandlerResult> results = new ArrayList<>(messages.size());
        for (MessageExt message : messages) {
            results.addAll(ask(List.of(message)));
        }
        return results;
    }

    /** The receiver threw for as long as one waits for it. */
    private static final class RefusedException extends Exception {

        private static final long serialVersionUID = 1L;

        RefusedException(Throwable cause) {
            super(cause);
        }
    }

    private Delivery delivery(MessageExt message) {
        return new Delivery(
                spec.source(),
                spec.group(),
                RocketMqProperties.messageId(message),
                RocketMqProperties.of(message),
                RocketMqProperties.body(message),
                message.getReconsumeTimes() + 1);
    }
}
