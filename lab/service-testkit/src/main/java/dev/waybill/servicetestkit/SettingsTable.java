package dev.waybill.servicetestkit;

import java.io.IOException;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** A service's settings as {@code name=default}: those that a document lists, and those that the code reads. */
public final class SettingsTable {

    private SettingsTable() {}

    /** The pattern's first group is the name, its second the default. */
    public static List<String> listedIn(String document, Pattern row) throws IOException {
        return Files.readAllLines(ProjectFiles.file(document)).stream()
                .map(row::matcher)
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1) + "=" + matcher.group(2))
                .toList();
    }

    /** The components of a settings record, and of the records in it. */
    public static List<String> readBy(Class<?> settingsRecord, String prefix) throws NoSuchMethodException {
        List<String> settings = new ArrayList<>();
        RecordComponent[] components = settingsRecord.getRecordComponents();
        Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Parameter[] parameters = settingsRecord.getDeclaredConstructor(types).getParameters();
        for (int i = 0; i < components.length; i++) {
            String name = prefix + "."
                    + components[i].getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            if (types[i].isRecord()) {
                settings.addAll(readBy(types[i], name));
            } else {
                DefaultValue otherwise = parameters[i].getAnnotation(DefaultValue.class);
                settings.add(name + "=" + (otherwise == null ? "" : String.join(",", otherwise.value())));
            }
        }
        return settings;
    }
}
