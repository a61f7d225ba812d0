package dev.waybill.duplicates;

import java.nio.file.Path;

/**
 * One of the places where the same code stands.
 *
 * @param file relative to the root of the repository
 */
record Place(Path file, int firstLine, int lastLine) {

    int lines() {
        return lastLine - firstLine + 1;
    }

    /** The folder that holds {@code src}, such as {@code libs/waybill-core}. */
    String module() {
        return file.toString().replaceFirst("/src/.*", "");
    }

    @Override
    public String toString() {
        return file + ":" + firstLine + "-" + lastLine;
    }
}
