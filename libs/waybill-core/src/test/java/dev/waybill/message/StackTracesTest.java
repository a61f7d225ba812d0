package dev.waybill.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StackTracesTest {

    private final StackTraces traces = new StackTraces();

    @Test
    void failuresFromOnePlaceAreOneGroupWhateverTheySay() {
        List<Boolean> firsts = Stream.of("1", "2", "3")
                .map(order -> traces.isNew(from("no stock for " + order)))
                .toList();

        assertThat(firsts).containsExactly(true, false, false);
    }

    @Test
    void anotherPlaceOrClassIsAnotherGroup() {
        traces.isNew(from("no stock"));

        assertThat(traces.isNew(new IllegalStateException("no stock"))).isTrue();
        assertThat(traces.isNew(new UnsupportedOperationException("no stock"))).isTrue();
    }

    @Test
    void aWrapperIsToldByWhatItWraps() {
        assertThat(traces.isNew(new RuntimeException(from("a")))).isTrue();
        assertThat(traces.isNew(new RuntimeException(new IllegalArgumentException("b"))))
                .isTrue();
    }

    @Test
    void causesThatAreARingEnd() {
        Exception first = new Exception("first");
        first.initCause(new Exception("second", first));

        assertThat(traces.isNew(first)).isTrue();
    }

    @Test
    void groupsWithoutEndAreNotRememberedWithoutEnd() {
        RuntimeException first = from("first");
        traces.isNew(first);
        for (int i = 0; i < 1_000; i++) {
            Exception other = new Exception("other");
            other.setStackTrace(new StackTraceElement[] {new StackTraceElement("Other", "at" + i, "Other.java", i)});
            traces.isNew(other);
        }

        assertThat(traces.isNew(first)).as("it was forgotten").isTrue();
    }

    private static RuntimeException from(String message) {
        return new IllegalStateException(message);
    }
}
