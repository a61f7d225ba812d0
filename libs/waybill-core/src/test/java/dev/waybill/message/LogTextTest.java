package dev.waybill.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogTextTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "trace-1_2.3:4", "ORDER_TOPIC", "订单-1", "é😀"})
    void whatIsReadableStaysAsItIs(String text) {
        assertThat(LogText.token(text)).isEqualTo(text);
        assertThat(LogText.sentence(text)).isEqualTo(text);
    }

    @Test
    void whatCouldForgeALineIsEscaped() {
        assertThat(LogText.sentence("a\r\nERROR b\u001b[31m\u2028c\u202ed\ud800\\n"))
                .isEqualTo("a\\u000d\\u000aERROR b\\u001b[31m\\u2028c\\u202ed\\ud800\\\\n");
        assertThat(LogText.token("1 group=other\u00a0x")).isEqualTo("1\\u0020group=other\\u00a0x");
        assertThat(LogText.sentence("two words")).isEqualTo("two words");
    }

    @Test
    void whatIsTooLongIsCutAndSaysSo() {
        assertThat(LogText.token("x".repeat(1_000))).isEqualTo("x".repeat(128) + "...(872 more)");
        assertThat(LogText.sentence("x".repeat(5_000_000))).hasSizeLessThan(1_100);
        assertThat(LogText.token("\n".repeat(1_000))).hasSizeLessThan(800);
        assertThat(LogText.token("x".repeat(127) + "😀")).endsWith("x😀");
    }

    @Test
    void nothingIsWrittenAsNull() {
        assertThat(LogText.token(null)).isEqualTo("null");
    }
}
