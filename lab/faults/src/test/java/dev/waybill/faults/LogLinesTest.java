package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No log line of the libraries carries a text of others as it came: what was thrown, ids and keys of messages go through
 * {@code LogText}. Read from the sources, because a logger takes every object alike. The guards have no messages.
 */
class LogLinesTest {

    private static final Pattern CALL = Pattern.compile("\\b(?:log|LOG)\\.(?:trace|debug|info|warn|error)\\(");
    private static final Pattern HAN = Pattern.compile("\\p{IsHan}");
    private static final Pattern THROWN =
            Pattern.compile("e|ex|error|cause|failed|thrown|refusal|refused|reason|detail|missing|why");
    private static final Pattern TEXT_OF_OTHERS =
            Pattern.compile("getMessage\\(|[eE]ventId\\(|essageId\\(|getKeys\\(|toString\\(|label\\(|[bB]izKey\\(");

    @Test
    void everyTextOfOthersIsEscaped() throws IOException {
        List<String> raw = new ArrayList<>();
        int calls = 0;
        for (Path source : sources("waybill-guard")) {
            String text = text(source);
            Matcher call = CALL.matcher(text);
            while (call.find()) {
                calls++;
                arguments(text, call.end()).stream()
                        .skip(1)
                        .filter(LogLinesTest::isRaw)
                        .forEach(argument -> raw.add(source.getFileName() + ": " + argument));
            }
        }
        assertThat(raw).isEmpty();
        assertThat(calls).as("calls that were found at all").isGreaterThan(50);
    }

    /** Chinese lines are for services whose texts are agreed; the testkit plays with texts of any kind. */
    @Test
    void theLibrariesSpeakEnglish() throws IOException {
        assertThat(sources("waybill-testkit"))
                .hasSizeGreaterThan(100)
                .noneMatch(source -> HAN.matcher(text(source)).find());
    }

    @Test
    void aRawOneIsSeen() {
        String line = "log.warn(\"a {} b {}\", f(x, \"(,\"), event.eventId(), LogText.token(event.eventId()), e);";

        assertThat(arguments(line, line.indexOf('(') + 1).stream().filter(LogLinesTest::isRaw))
                .containsExactly("event.eventId()", "e");
    }

    private static boolean isRaw(String argument) {
        return !argument.contains("LogText.")
                && (THROWN.matcher(argument).matches()
                        || TEXT_OF_OTHERS.matcher(argument).find());
    }

    /** The arguments of a call, up to its closing bracket. */
    private static List<String> arguments(String text, int from) {
        List<String> arguments = new ArrayList<>();
        StringBuilder argument = new StringBuilder();
        boolean quoted = false;
        int depth = 0;
        for (int at = from; depth >= 0 && at < text.length(); at++) {
            char c = text.charAt(at);
            if (quoted && c == '\\') {
                at++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && c == '(') {
                depth++;
            } else if (!quoted && c == ')') {
                depth--;
            }
            if (depth < 0 || (c == ',' && depth == 0 && !quoted)) {
                arguments.add(argument.toString().replaceAll("\\s+", " ").strip());
                argument.setLength(0);
            } else {
                argument.append(c);
            }
        }
        return arguments;
    }

    /** The main sources of all libraries but one. */
    private static List<Path> sources(String leftOut) throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("../../libs"))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains("/src/main/"))
                    .filter(file -> !file.toString().contains("/" + leftOut + "/"))
                    .toList();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
