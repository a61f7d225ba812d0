package dev.waybill.order;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.order.running.RunningOrders;
import dev.waybill.servicetestkit.BearerTokens;
import dev.waybill.servicetestkit.ServiceSettings;
import org.junit.jupiter.api.Test;

/** What a start refuses, by the name of the property. */
class StartTest {

    @Test
    void realServersNeedAUserAndAPasswordThatSomebodyGave() {
        ServiceSettings settings = ServiceSettings.none()
                .set("spring.profiles.active", "real")
                .set(BearerTokens.SECRET_PROPERTY, BearerTokens.OF_TESTS.secret());
        assertThatThrownBy(() -> RunningOrders.start(settings)).hasStackTraceContaining("ORDER_DB_USER");
        settings.set("spring.datasource.username", "somebody");
        assertThatThrownBy(() -> RunningOrders.start(settings)).hasStackTraceContaining("ORDER_DB_PASSWORD");
    }
}
