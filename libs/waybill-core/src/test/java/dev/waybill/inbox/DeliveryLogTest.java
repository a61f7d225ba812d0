package dev.waybill.inbox;

import static dev.waybill.inbox.InboxParts.event;
import static dev.waybill.inbox.InboxParts.receive;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.message.Causation;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.message.TraceId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** What a delivery leaves in the log and in the thread: texts of others escaped, the trace for its time only. */
@Timeout(20)
class DeliveryLogTest {

    private final InboxParts parts = new InboxParts();

    @AfterEach
    void clearTrace() {
        MDC.clear();
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private static List<ILoggingEvent> logged(Level level, Work work) throws InterruptedException {
        Logger logger = (Logger) LoggerFactory.getLogger("dev.waybill.inbox.Inbox");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        Level before = logger.getLevel();
        logger.setLevel(level);
        try {
            work.run();
        } finally {
            logger.setLevel(before);
            logger.detachAppender(lines);
        }
        return lines.list;
    }

    @Test
    void whatAMessageSaysIsLoggedEscapedAndShortened() throws InterruptedException {
        Event hostile = event("1").toBuilder()
                .traceId("x group=other\n2026 ERROR forged " + "y".repeat(10_000))
                .build();
        List<ILoggingEvent> lines =
                logged(Level.DEBUG, () -> receive(parts.inbox(parts::effect).build(), hostile));

        assertThat(lines)
                .singleElement()
                .satisfies(line -> assertThat(line.getFormattedMessage())
                        .contains(" traceId=x\\u0020group=other\\u000a2026\\u0020ERROR\\u0020forged\\u0020yyy")
                        .doesNotContain("\n")
                        .hasSizeLessThan(500));
        assertThat(lines.get(0).getMDCPropertyMap().get(TraceId.KEY)).matches("[0-9a-f]{32}");
    }

    @Test
    void aHandledEventIsNoLineAtInfoAndFailuresOfOneKindHaveOneStackTrace() throws InterruptedException {
        Inbox inbox = parts.inbox(event -> {
                    if (event.eventId().startsWith("good")) {
                        return parts.effect(event);
                    }
                    throw new IllegalStateException("no stock for " + event.eventId());
                })
                .build();

        List<ILoggingEvent> lines = logged(Level.INFO, () -> {
            for (String id : List.of("good-1", "bad-1", "bad-2", "bad-3", "good-2")) {
                receive(inbox, event(id));
            }
        });

        assertThat(lines)
                .hasSize(3)
                .allMatch(line -> line.getFormattedMessage().startsWith("[Inbox] Message failed eventId=bad-"))
                .allMatch(line ->
                        line.getFormattedMessage().contains("error=java.lang.IllegalStateException: no stock for"));
        assertThat(lines).extracting(line -> line.getThrowableProxy() != null).containsExactly(true, false, false);
    }

    @Test
    void whatAHandlerThrowsIsLoggedEscapedAndShortenedToo() throws InterruptedException {
        Inbox inbox = parts.inbox(event -> {
                    throw new IllegalStateException("x\nforged", new IllegalArgumentException("y".repeat(10_000)));
                })
                .build();
        List<ILoggingEvent> lines = logged(Level.DEBUG, () -> receive(inbox, event("1")));

        assertThat(lines)
                .filteredOn(line -> line.getThrowableProxy() != null)
                .isNotEmpty()
                .allSatisfy(line -> {
                    IThrowableProxy thrown = line.getThrowableProxy();
                    assertThat(thrown.getMessage()).contains("IllegalStateException: x\\u000aforged");
                    assertThat(thrown.getStackTraceElementProxyArray()).isNotEmpty();
                    assertThat(thrown.getCause().getMessage())
                            .contains("IllegalArgumentException: yyy")
                            .hasSizeLessThan(1_100);
                });
    }

    @Test
    void traceAndCauseAreThereDuringTheHandlerAndGoneAfterwards() throws InterruptedException {
        List<String> seen = new ArrayList<>();
        Inbox inbox = parts.inbox(event -> {
                    seen.add(MDC.get(TraceId.KEY) + " " + Causation.current());
                    return HandlerResult.DONE;
                })
                .build();
        MDC.put(TraceId.KEY, "before");

        receive(inbox, event("1"));

        assertThat(seen).containsExactly("trace-1 1");
        assertThat(MDC.get(TraceId.KEY)).isEqualTo("before");
        assertThat(Causation.current()).isNull();
    }
}
