package dev.waybill.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servicetestkit.SettingsTable;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The documents list the settings that there are, with their defaults, and no others. */
class SettingsDocumentTest {

    private static final Pattern ROW = Pattern.compile("\\| `(inventory\\.[a-z.-]+)` \\| `([^`]*)` \\|.*");

    @ParameterizedTest
    @ValueSource(strings = {"docs/inventory-service.md", "docs/inventory-service.zh-CN.md"})
    void theDocumentListsWhatIsRead(String file) throws Exception {
        assertThat(SettingsTable.listedIn(file, ROW))
                .containsExactlyElementsOf(SettingsTable.readBy(InventorySettings.class, "inventory"));
    }
}
