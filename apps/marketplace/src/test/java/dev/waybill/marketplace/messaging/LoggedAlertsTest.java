package dev.waybill.marketplace.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servicetestkit.CapturedLog;
import org.junit.jupiter.api.Test;

class LoggedAlertsTest {

    @Test
    void anAlertIsAnErrorThatSaysSoAndItsEndIsNot() {
        try (CapturedLog log = new CapturedLog()) {
            Alerts alerts = new Alerts.Logged();
            alerts.raise("dead letters", "open=1 queue=order.dlq.queue");
            alerts.clear("dead letters");
            assertThat(log.lines())
                    .containsExactly(
                            "ERROR [] [Marketplace] [ALERT] dead letters open=1 queue=order.dlq.queue",
                            "INFO [] [Marketplace] over: dead letters");
        }
    }
}
