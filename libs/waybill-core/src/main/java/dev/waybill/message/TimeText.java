package dev.waybill.message;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * Times as text, letter for letter what Java's formatters write. Every event takes this way at least twice, and a formatter
 * asks anew for every field; so years 1 to 9999 are written digit by digit, and only the rest goes to the formatter.
 */
public final class TimeText {

    private static final DateTimeFormatter SQL = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS");

    /** The beginnings of the years 1 and 10000. */
    private static final long FIRST_SECOND = -62_135_596_800L;

    private static final long AFTER_LAST_SECOND = 253_402_300_800L;

    /** {@code 2026-02-04T10:30:00} */
    private static final int WHOLE = 19;

    private TimeText() {}

    /** As {@link Instant#toString}: {@code 2026-02-04T10:30:00Z}, and 3, 6 or 9 digits of a fraction where there is one. */
    public static String iso(Instant instant) {
        long second = instant.getEpochSecond();
        int nano = instant.getNano();
        if (isRare(second)) {
            return instant.toString();
        }
        int digits = nano == 0 ? 0 : nano % 1_000_000 == 0 ? 3 : nano % 1_000 == 0 ? 6 : 9;
        byte[] text = new byte[digits == 0 ? WHOLE + 1 : WHOLE + digits + 2];
        write(text, second, 'T');
        if (digits > 0) {
            fraction(text, nano, digits);
        }
        text[text.length - 1] = 'Z';
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    /** The UTC clock face to the microsecond, as SQL writes it: {@code 2026-02-04 10:30:00.123456}, always six digits. */
    public static String sql(Instant instant) {
        long second = instant.getEpochSecond();
        if (isRare(second)) {
            return SQL.format(LocalDateTime.ofInstant(instant, ZoneOffset.UTC));
        }
        byte[] text = new byte[WHOLE + 7];
        write(text, second, ' ');
        fraction(text, instant.getNano(), 6);
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    private static boolean isRare(long second) {
        return second < FIRST_SECOND || second >= AFTER_LAST_SECOND;
    }

    private static void write(byte[] text, long second, char between) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
        digits(text, 0, 4, time.getYear());
        text[4] = '-';
        digits(text, 5, 2, time.getMonthValue());
        text[7] = '-';
        digits(text, 8, 2, time.getDayOfMonth());
        text[10] = (byte) between;
        digits(text, 11, 2, time.getHour());
        text[13] = ':';
        digits(text, 14, 2, time.getMinute());
        text[16] = ':';
        digits(text, 17, 2, time.getSecond());
    }

    private static void fraction(byte[] text, int nano, int digits) {
        text[WHOLE] = '.';
        int cut = digits == 3 ? 1_000_000 : digits == 6 ? 1_000 : 1;
        digits(text, WHOLE + 1, digits, nano / cut);
    }

    private static void digits(byte[] text, int from, int count, int number) {
        int rest = number;
        for (int i = from + count - 1; i >= from; i--) {
            text[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }
}
