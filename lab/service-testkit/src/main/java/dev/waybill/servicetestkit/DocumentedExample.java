package dev.waybill.servicetestkit;

import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a document shows between {@code <!-- example:name -->} marks, and what a source file has between the same marks. */
public final class DocumentedExample {

    private DocumentedExample() {}

    /** The first block of this language; both paths are from the repository's root. */
    public static String shown(String document, String example, String language) throws IOException {
        String marked = find(
                "(?s)<!-- example:" + example + " -->(.*?)<!-- /example:" + example + " -->",
                Files.readString(ProjectFiles.file(document)));
        return find("(?s)```" + language + "\\n(.*?)\\n```", marked);
    }

    /** The lines between the marks, which are comments, moved to the left margin. */
    public static String region(String source, String comment, String example) throws IOException {
        String text = Files.readString(ProjectFiles.file(source));
        return find("(?s)" + comment + " example:" + example + "\\n(.*?)\\n *" + comment + " /example:" + example, text)
                .stripIndent()
                .strip();
    }

    private static String find(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        if (!found.find()) {
            throw new AssertionError("no match of " + pattern);
        }
        return found.group(1);
    }
}
