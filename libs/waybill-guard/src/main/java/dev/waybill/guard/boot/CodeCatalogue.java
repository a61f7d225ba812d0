package dev.waybill.guard.boot;

import dev.waybill.guard.web.Code;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names of the codes that callers see, after renaming, and their messages in Chinese and English.
 *
 * <p>Chinese is used when {@code Accept-Language} is missing, unknown or unreadable.
 */
final class CodeCatalogue {

    private static final String RENAME_PROPERTY = "waybill.guard.codes.";
    private static final Pattern CODE_TEXT = Pattern.compile("[A-Za-z0-9_-]{1,32}");
    private static final int LONGEST_LANGUAGE_HEADER = 256;
    private static final String BUNDLE = "dev.waybill.guard.web.codes";
    private static final List<Locale> LANGUAGES = List.of(Locale.CHINESE, Locale.ENGLISH);
    private static final ResourceBundle.Control NO_FALLBACK =
            ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES);

    private final Map<Code, String> codeTexts = new EnumMap<>(Code.class);
    private final Map<String, Code> byText = new HashMap<>();
    private final Map<Locale, ResourceBundle> messages = new HashMap<>();

    /** @param renames catalogue name → name that callers see; a mistake here stops the start-up */
    CodeCatalogue(Map<String, String> renames) {
        for (Code code : Code.values()) {
            codeTexts.put(code, code.text());
            byText.put(code.text(), code);
        }
        renames.forEach(this::rename);
        if (codeTexts.values().stream().distinct().count() < Code.values().length) {
            throw new IllegalStateException(RENAME_PROPERTY + "*: two codes have the same name:  " + renames);
        }
        LANGUAGES.forEach(language -> messages.put(language, ResourceBundle.getBundle(BUNDLE, language, NO_FALLBACK)));
    }

    private void rename(String from, String to) {
        Code code = byText.get(from);
        if (code == null) {
            throw new IllegalStateException(
                    RENAME_PROPERTY + from + ": no such code; the catalogue has " + byText.keySet());
        }
        if (!CODE_TEXT.matcher(to).matches()) {
            throw new IllegalStateException(RENAME_PROPERTY + from + ": a code is 1 to 32 of A-Z a-z 0-9 _ -");
        }
        codeTexts.put(code, to);
    }

    /** The name that callers see. */
    String codeText(Code code) {
        return codeTexts.getOrDefault(code, code.text());
    }

    /** The catalogue's entry for an answer that a handler built, or null where the handler uses a code of its own. */
    @Nullable Code find(String text) {
        return byText.get(text);
    }

    /** The message in the language that the caller prefers. */
    String message(Code code, @Nullable String acceptLanguage) {
        ResourceBundle bundle = messages.get(language(acceptLanguage));
        return bundle == null ? code.text() : bundle.getString(code.text());
    }

    private static Locale language(@Nullable String acceptLanguage) {
        if (acceptLanguage == null || acceptLanguage.length() > LONGEST_LANGUAGE_HEADER) {
            return Locale.CHINESE;
        }
        try {
            Locale found = Locale.lookup(Locale.LanguageRange.parse(acceptLanguage), LANGUAGES);
            return found == null ? Locale.CHINESE : found;
            // A lone hyphen makes the JDK look for the first part of nothing.
        } catch (IllegalArgumentException | IndexOutOfBoundsException unreadable) {
            return Locale.CHINESE;
        }
    }
}
