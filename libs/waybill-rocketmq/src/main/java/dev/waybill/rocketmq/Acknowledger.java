package dev.waybill.rocketmq;

import dev.waybill.message.HandlerResult;
import dev.waybill.message.LogText;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendResult.Confirmed;
import dev.waybill.transport.SendResult.NotConfirmed;
import dev.waybill.transport.SubscriptionSpec;
import java.time.Duration;
import java.util.function.Supplier;
import org.apache.rocketmq.common.message.MessageExt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns results into what the broker understands. A message that waits for another delivery, or becomes a dead letter, is in
 * its new place, confirmed, before the client acknowledges the original: a crash in between makes two of it, never none.
 */
final class Acknowledger {

    private static final Logger log = LoggerFactory.getLogger(Acknowledger.class);

    private final SubscriptionSpec spec;
    private final Republisher republisher;
    private final ClientThreads threads;
    private final StoppablePause pauses;

    Acknowledger(SubscriptionSpec spec, Republisher republisher, ClientThreads threads, StoppablePause pauses) {
        this.spec = spec;
        this.republisher = republisher;
        this.threads = threads;
        this.pauses = pauses;
    }

    /** Returns when the client may acknowledge the message. */
    void acknowledge(MessageExt message, HandlerResult result) throws InterruptedException {
        if (!result.isAcknowledged()) {
            untilConfirmed(message, () -> republish(message, result));
        }
    }

    /** The receiver takes everything but this message: it comes again later. Returns as {@link #acknowledge} does. */
    void postpone(MessageExt message, ReceiverPatience patience, Throwable refusal) throws InterruptedException {
        Duration away = patience.awayAfter(RocketMqProperties.postponed(message));
        log.error(
                "[RocketMqSubscriptions] [ALERT] Set aside, as its receiver refuses it; offered again in {}"
                        + " messageId={} topic={} group={} queue={} offset={} cause={}",
                away,
                LogText.token(RocketMqProperties.messageId(message)),
                spec.source(),
                spec.group(),
                message.getQueueId(),
                message.getQueueOffset(),
                LogText.sentence(refusal.toString()));
        log.debug(
                "[RocketMqSubscriptions] Why a message was set aside topic={}", spec.source(), LogText.thrown(refusal));
        untilConfirmed(message, () -> {
            SendResult sent = republisher.postpone(spec.source(), spec.group(), message, DelayLevels.of(away));
            // The original stays at its place until the broker's retention ends; the line above names it.
            return Republisher.refusedForGood(sent) ? new Confirmed(null) : sent;
        });
    }

    private void untilConfirmed(MessageExt message, Supplier<SendResult> copying) throws InterruptedException {
        Duration pause = StoppablePause.FIRST;
        while (threads.stillOurs()) {
            SendResult sent = copying.get();
            if (sent instanceof Confirmed) {
                return;
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedException();
            }
            log.warn(
                    "[RocketMqSubscriptions] Answer not confirmed, sending it again eventId={} topic={} result={}",
                    LogText.token(message.getKeys()),
                    spec.source(),
                    LogText.sentence(sent.toString()));
            pause = pauses.await(pause);
        }
    }

    private SendResult republish(MessageExt message, HandlerResult result) {
        int attempt = message.getReconsumeTimes() + 1;
        if (result instanceof HandlerResult.Retry retry && attempt < spec.maxDeliveries()) {
            int level = DelayLevels.of(spec.retryDelays().get(attempt - 1));
            SendResult sent = republisher.again(spec.source(), spec.group(), message, level, retry.error());
            if (!Republisher.refusedForGood(sent)) {
                return sent;
            }
        }
        String error =
                result instanceof HandlerResult.Retry retry ? retry.error() : ((HandlerResult.Reject) result).error();
        SendResult sent = republisher.deadLetter(spec.source(), spec.group(), message, error);
        if (sent instanceof NotConfirmed refused && Republisher.refusedForGood(sent)) {
            // The original stays at its place until the broker's retention ends; a receiver must not wait for that.
            log.error(
                    "[RocketMqSubscriptions] [ALERT] No dead letter, as the broker refuses every form of it messageId={} topic={}"
                            + " group={} place={} error={} cause={}",
                    LogText.token(RocketMqProperties.messageId(message)),
                    spec.source(),
                    spec.group(),
                    LogText.sentence(Republisher.place(message)),
                    LogText.sentence(error),
                    LogText.sentence(refused.describe()));
            return new Confirmed(null);
        }
        if (sent instanceof Confirmed) {
            log.warn(
                    "[RocketMqSubscriptions] Dead letter eventId={} topic={} group={} attempt={} error={}",
                    LogText.token(message.getKeys()),
                    spec.source(),
                    spec.group(),
                    attempt,
                    LogText.sentence(error));
        }
        return sent;
    }
}
