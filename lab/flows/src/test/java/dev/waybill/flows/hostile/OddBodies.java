package dev.waybill.flows.hostile;

import java.util.SplittableRandom;

/** Changes a proper JSON body into one that is not. */
final class OddBodies {

    private static final int LARGEST = 1024 * 1024;
    private static final String[] VALUES = {
        "null",
        "true",
        "-1",
        "0",
        "1e999999999",
        "1E-400",
        "9223372036854775808",
        "0.1",
        "NaN",
        "\"\"",
        "\"\\u0000\"",
        "\"\\ud800\"",
        "\"\\r\\n2026-01-01 00:00:00.000 [main] [x] ERROR forged\"",
        "\"😀\"",
        "\"\u2028\"",
        "{}",
        "[]",
        "[[]]",
        "[null]",
        "\"' OR 1=1 --\""
    };

    private final SplittableRandom random;

    OddBodies(SplittableRandom random) {
        this.random = random;
    }

    String changed(String proper) {
        if (proper.isEmpty()) { // an earlier change has left nothing to change
            return nested(1 + random.nextInt(20_000));
        }
        return switch (random.nextInt(12)) {
            case 0 -> "";
            case 1 -> proper.substring(0, random.nextInt(proper.length()));
            case 2 -> nested(1 + random.nextInt(20_000));
            case 3 -> grown(proper);
            case 4 -> proper.replaceFirst("\\d+", "9".repeat(1 + random.nextInt(5_000)));
            case 5 -> flipped(proper);
            case 6 -> proper.replace("{", "{\"more\":1,");
            case 7 -> proper + proper;
            case 8 -> proper.replaceFirst(":[^,}]+", ":" + "😀".repeat(1 + random.nextInt(200)));
            default ->
                proper.replaceFirst(":[^,}]+", ":" + VALUES[random.nextInt(VALUES.length)].replace("\\", "\\\\"));
        };
    }

    private String nested(int depth) {
        return (random.nextBoolean() ? "[" : "{\"items\":").repeat(depth);
    }

    /** Mostly a little, and now and then up to a megabyte. */
    private String grown(String proper) {
        int size = random.nextInt(40) == 0 ? random.nextInt(LARGEST) : random.nextInt(4_000);
        return random.nextBoolean()
                ? proper + " ".repeat(size)
                : proper.replace("\"tea\"", "\"" + "t".repeat(size) + "\"");
    }

    private String flipped(String proper) {
        char[] characters = proper.toCharArray();
        characters[random.nextInt(characters.length)] = (char) random.nextInt(256);
        return new String(characters);
    }
}
