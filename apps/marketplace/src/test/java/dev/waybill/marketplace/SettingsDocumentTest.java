package dev.waybill.marketplace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.marketplace.domain.TimeoutSettings;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The documents list the settings that there are, with their defaults, and no others. */
class SettingsDocumentTest {

    private static final Pattern ROW =
            Pattern.compile("\\| `(order\\.timeout\\.(?:pending|job)[a-z.-]*)` \\| `?([^`|]*?)`? ?\\|.*");

    @ParameterizedTest
    @ValueSource(strings = {"docs/marketplace.md", "docs/marketplace.zh-CN.md"})
    void theDocumentListsWhatIsRead(String file) throws Exception {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("dev"))) {
            root = root.getParent();
        }
        List<String> listed = Files.readAllLines(root.resolve(file)).stream()
                .map(ROW::matcher)
                .filter(matcher -> matcher.matches())
                .map(matcher -> matcher.group(1) + "=" + matcher.group(2))
                .toList();
        assertThat(listed).containsExactlyElementsOf(settings("order.timeout", TimeoutSettings.class));
    }

    private static List<String> settings(String prefix, Class<?> type) throws NoSuchMethodException {
        List<String> settings = new ArrayList<>();
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        var parameters = type.getDeclaredConstructor(types).getParameters();
        for (int i = 0; i < components.length; i++) {
            String name = prefix + "."
                    + components[i].getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            if (types[i].isRecord()) {
                settings.addAll(settings(name, types[i]));
            } else {
                DefaultValue otherwise = parameters[i].getAnnotation(DefaultValue.class);
                settings.add(name + "=" + (otherwise == null ? "" : String.join(",", otherwise.value())));
            }
        }
        return settings;
    }
}
