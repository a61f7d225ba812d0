package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The comparison finds what AssertJ's would find. */
class LongListsTest {

    private final List<String> texts =
            IntStream.range(0, 100_000).mapToObj(String::valueOf).toList();

    @Test
    void theOrderDoesNotMatter() {
        List<String> reversed = new ArrayList<>(texts);
        Collections.reverse(reversed);
        assertThatCode(() -> LongLists.assertSame(reversed, texts)).doesNotThrowAnyException();
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThatThrownBy(() -> LongLists.assertSame(texts.subList(1, texts.size()), texts))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("missing")
                .hasMessageContaining("\"0\"");
    }

    @Test
    void whatIsThereTwiceIsTooOftenUnlessMoreMayBeThere() {
        List<String> doubled = new ArrayList<>(texts);
        doubled.add("17");
        assertThatThrownBy(() -> LongLists.assertSame(doubled, texts))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("too often")
                .hasMessageContaining("\"17\"");
        assertThatCode(() -> LongLists.assertContains(doubled, texts)).doesNotThrowAnyException();
        assertThatThrownBy(() -> LongLists.assertContains(texts, doubled))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("\"17\"");
    }
}
