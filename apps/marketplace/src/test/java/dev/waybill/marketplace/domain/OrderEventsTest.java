package dev.waybill.marketplace.domain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

class OrderEventsTest {

    @ParameterizedTest
    @ValueSource(
            classes = {
                OrderEvents.Created.class,
                OrderEvents.Paid.class,
                OrderEvents.StatusChanged.class,
                OrderEvents.Timeout.class
            })
    void aFieldThatANewerVersionAddsIsSkipped(Class<? extends OrderEvents.OfOrder> payload) {
        JsonMapper asInTheSettings = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build();
        assertThat(asInTheSettings
                        .readValue("{\"orderId\":7,\"giftWrap\":true}", payload)
                        .orderId())
                .isEqualTo(7);
    }
}
