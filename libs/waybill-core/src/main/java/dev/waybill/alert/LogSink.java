package dev.waybill.alert;

import dev.waybill.message.LogText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes notices into the log: what is raised as an error with {@code [ALERT]}, what is cleared as information. */
public final class LogSink implements AlertSink {

    private static final Logger log = LoggerFactory.getLogger("dev.waybill.alert.Alerts");

    @Override
    public String name() {
        return "log";
    }

    @Override
    public void tell(AlertNotice notice) {
        String line = line(notice);
        switch (notice.kind()) {
            case RAISED -> log.error("[Alerts] [ALERT] raised {}", line);
            case ESCALATED -> log.error("[Alerts] [ALERT] escalated {}", line);
            case CLEARED -> log.info("[Alerts] cleared {}", line);
        }
    }

    private static String line(AlertNotice notice) {
        return "scope=" + LogText.token(notice.scope()) + " alert=" + LogText.token(notice.key()) + " severity="
                + notice.severity() + " step=" + notice.step() + " " + LogText.sentence(notice.detail());
    }
}
