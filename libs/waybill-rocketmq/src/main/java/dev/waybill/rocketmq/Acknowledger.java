package dev.waybill.rocketmq;

import dev.waybill.message.HandlerResult;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendResult.Confirmed;
import dev.waybill.transport.SubscriptionSpec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyContext;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.common.message.MessageExt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the client's threads bring messages. A thread does not go back before its messages are answered: what the
 * receiver failed to answer, it is asked again; what the broker failed to take, is sent again. So the client only ever
 * hears of success, and never counts a delivery by itself. At a stop the unanswered are given up, and the broker delivers
 * them anew.
 */
final class Acknowledger implements MessageListenerConcurrently {

    private static final Logger log = LoggerFactory.getLogger(Acknowledger.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final SubscriptionSpec spec;
    private final Receiver receiver;
    private final Republisher republisher;
    private final ConsumerWorkers workers;
    private final CountDownLatch stopping = new CountDownLatch(1);

    Acknowledger(SubscriptionSpec spec, Receiver receiver, Republisher republisher, ConsumerWorkers workers) {
        this.spec = spec;
        this.receiver = receiver;
        this.republisher = republisher;
        this.workers = workers;
    }

    @Override
    public ConsumeConcurrentlyStatus consumeMessage(List<MessageExt> messages, ConsumeConcurrentlyContext context) {
        if (workers.begin(messages, context.getMessageQueue())) {
            try {
                List<HandlerResult> results = ask(messages);
                for (int i = 0; i < messages.size(); i++) {
                    answer(messages.get(i), results.get(i));
                }
                workers.answered();
                return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        workers.giveUp(context.getMessageQueue());
        return ConsumeConcurrentlyStatus.RECONSUME_LATER; // said to nobody: the client has given up the queue
    }

    /** No more questions: threads that have no answer yet come home without. */
    void stop() {
        stopping.countDown();
    }

    private List<HandlerResult> ask(List<MessageExt> messages) throws InterruptedException {
        List<Delivery> deliveries = messages.stream().map(this::delivery).toList();
        Duration pause = FIRST_PAUSE;
        while (true) {
            Throwable thrown;
            try {
                return receiver.receiveAll(deliveries);
            } catch (InterruptedException e) {
                if (stopping.getCount() == 0) {
                    throw e;
                }
                thrown = e;
            } catch (RuntimeException | Error e) {
                thrown = e;
            }
            log.warn(
                    "[RocketMqSubscriptions] The receiver answered nothing, asking again in {} ms topic={} group={}",
                    pause.toMillis(),
                    spec.source(),
                    spec.group(),
                    thrown);
            pause = rest(pause);
        }
    }

    private void answer(MessageExt message, HandlerResult result) throws InterruptedException {
        Duration pause = FIRST_PAUSE;
        while (!(result instanceof HandlerResult.Done) && workers.stillOurs()) {
            SendResult sent = send(message, result);
            if (sent instanceof Confirmed) {
                return;
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedException();
            }
            log.warn(
                    "[RocketMqSubscriptions] Answer not confirmed, sending it again eventId={} topic={} result={}",
                    message.getKeys(),
                    spec.source(),
                    result);
            pause = rest(pause);
        }
    }

    private SendResult send(MessageExt message, HandlerResult result) {
        int attempt = message.getReconsumeTimes() + 1;
        if (result instanceof HandlerResult.Retry retry && attempt < spec.maxDeliveries()) {
            int level = DelayLevels.of(spec.retryDelays().get(attempt - 1));
            return republisher.again(spec.source(), spec.group(), message, level, retry.error());
        }
        String error =
                result instanceof HandlerResult.Retry retry ? retry.error() : ((HandlerResult.Reject) result).error();
        SendResult sent = republisher.deadLetter(spec.source(), spec.group(), message, error);
        if (sent instanceof Confirmed) {
            log.warn(
                    "[RocketMqSubscriptions] Dead letter eventId={} topic={} group={} attempt={} error={}",
                    message.getKeys(),
                    spec.source(),
                    spec.group(),
                    attempt,
                    error);
        }
        return sent;
    }

    private Duration rest(Duration pause) throws InterruptedException {
        if (stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new InterruptedException("stopping");
        }
        Duration longer = pause.multipliedBy(2);
        return longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
    }

    private Delivery delivery(MessageExt message) {
        return new Delivery(
                spec.source(),
                spec.group(),
                RocketMqProperties.messageId(message),
                RocketMqProperties.of(message),
                message.getBody(),
                message.getReconsumeTimes() + 1);
    }
}
