package dev.waybill.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoutingPatternTest {

    @ParameterizedTest
    @CsvSource({
        "order.created, order.created, true",
        "order.created, order.create, false",
        "order.created, order.created.late, false",
        "order.*, order.created, true",
        "order.*, order, false",
        "order.*, order.status.changed, false",
        "*.*.changed, order.status.changed, true",
        "order.#, order, true",
        "order.#, order.status.changed, true",
        "order.#, orders.created, false",
        "#, order.status.changed, true",
        "#, '', true",
        "'', '', true",
        "*, '', true",
        "'', order, false",
        "#.changed, order.status.changed, true",
        "#.changed, order.changed.late, false",
        "order.#.late, order.late, true",
        "order.#.*.late, order.late, false",
        "order.#.*.late, order.created.late, true",
        "order., order, false",
    })
    void aStarIsOneWordAndAHashAnyNumber(String pattern, String key, boolean matches) {
        assertThat(RoutingPattern.of(pattern).matches(key)).isEqualTo(matches);
    }
}
