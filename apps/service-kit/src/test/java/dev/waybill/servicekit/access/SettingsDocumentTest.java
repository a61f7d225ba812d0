package dev.waybill.servicekit.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servicetestkit.SettingsTable;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SettingsDocumentTest {

    @Test
    void theDocumentsListTheSettingsThatTheCodeReads() throws IOException, NoSuchMethodException {
        Pattern row = Pattern.compile("\\| `(waybill\\.security[a-z.-]+)` \\| ?`?([^`|]*?)`? ?\\|.*");
        List<String> read = SettingsTable.readBy(AccessSettings.class, AccessSettings.PREFIX);
        assertThat(SettingsTable.listedIn("docs/services.md", row)).isEqualTo(read);
        assertThat(SettingsTable.listedIn("docs/services.zh-CN.md", row)).isEqualTo(read);
    }
}
