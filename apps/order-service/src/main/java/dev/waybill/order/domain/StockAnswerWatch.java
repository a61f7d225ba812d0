package dev.waybill.order.domain;

import dev.waybill.message.TraceId;
import dev.waybill.order.domain.OrderRepository.WaitingOrder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Looks for orders whose stock answer does not come, reports them and in the end cancels them, so that none waits for ever.
 *
 * <p>Every replica looks for itself: each reports what the database holds, and the order's status decides which of them
 * cancels. OrderCanceled gives back what the inventory may have reserved; if OrderCreated reaches it later, it reserves nothing.
 */
@Component
class StockAnswerWatch {

    static final int BATCH = 100;

    private static final Logger log = LoggerFactory.getLogger(StockAnswerWatch.class);

    private final OrderRepository orders;
    private final OrderService service;
    private final OrderSettings.StockAnswer settings;
    private final Clock clock;
    private boolean reported;

    StockAnswerWatch(OrderRepository orders, OrderService service, OrderSettings settings, Clock clock) {
        this.orders = orders;
        this.service = service;
        this.settings = settings.stockAnswer();
        this.clock = clock;
    }

    @Scheduled(fixedDelayString = "${order.stock-answer.check-every:10s}")
    void look() {
        Instant now = clock.instant();
        report(now);
        if (!settings.cancelAfter().isZero()) {
            cancel(now);
        }
    }

    /** The orders are counted only for the line itself: a look costs one row of the index. */
    private void report(Instant now) {
        Instant due = now.minus(settings.reportAfter());
        List<WaitingOrder> oldest = orders.waitingSince(due, WaitingOrder.NONE, 1);
        if (!oldest.isEmpty() && !reported) {
            log.warn(
                    "[StockAnswerWatch] [ALERT] orders wait for their stock answer count={} oldestOrderNo={} oldestAgeSeconds={}",
                    orders.countWaitingSince(due),
                    oldest.get(0).orderNo(),
                    Duration.between(oldest.get(0).createdAt(), now).toSeconds());
        } else if (oldest.isEmpty() && reported) {
            log.info("[StockAnswerWatch] no order waits for its stock answer any more");
        }
        reported = !oldest.isEmpty();
    }

    /** A full batch is followed by the next one, behind it, so that orders that can't be canceled hide no others. */
    private void cancel(Instant now) {
        Instant due = now.minus(settings.cancelAfter());
        WaitingOrder last = WaitingOrder.NONE;
        List<WaitingOrder> batch;
        do {
            batch = orders.waitingSince(due, last, BATCH);
            for (WaitingOrder order : batch) {
                cancel(order, now);
                last = order;
            }
        } while (batch.size() == BATCH && !Thread.currentThread().isInterrupted());
    }

    /** A failure concerns this order alone: the next look tries it again. */
    @SuppressWarnings("try") // the MDC entry is there to be closed
    private void cancel(WaitingOrder order, Instant now) {
        try (MDC.MDCCloseable ignored = MDC.putCloseable(TraceId.KEY, TraceId.next())) {
            if (service.cancelUnanswered(order.orderNo())) {
                log.warn(
                        "[StockAnswerWatch] canceled, no stock answer orderNo={} ageSeconds={}",
                        order.orderNo(),
                        Duration.between(order.createdAt(), now).toSeconds());
            }
        } catch (RuntimeException e) {
            log.warn("[StockAnswerWatch] not canceled, tried again orderNo={}", order.orderNo(), e);
        }
    }
}
