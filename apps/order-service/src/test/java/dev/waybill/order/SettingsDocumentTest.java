package dev.waybill.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.order.domain.OrderSettings;
import dev.waybill.servicetestkit.SettingsTable;
import java.io.IOException;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both documents list the settings that the service reads, with their defaults. */
class SettingsDocumentTest {

    private static final Pattern ROW = Pattern.compile("\\| `(order\\.[a-z-.]+)` \\| `([^`]*)` \\|.*");

    @ParameterizedTest
    @ValueSource(strings = {"docs/order-service.md", "docs/order-service.zh-CN.md"})
    void everySettingIsListedWithItsDefault(String document) throws IOException, NoSuchMethodException {
        assertThat(SettingsTable.listedIn(document, ROW))
                .containsExactlyElementsOf(SettingsTable.readBy(OrderSettings.class, "order"));
    }
}
