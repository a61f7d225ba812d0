package dev.waybill.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.contender.BenchOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FiguresTest {

    @Test
    void aMedianIsTakenFigureByFigure() {
        Figures medians = Figures.medians(List.of(
                Figures.of("rate", 10, "p99", 3), Figures.of("rate", 30, "p99", 1), Figures.of("rate", 20, "p99", 2)));
        assertThat(medians.get("rate")).isEqualTo(20);
        assertThat(medians.get("p99")).isEqualTo(2);
        assertThat(medians.get("unknown")).isNaN();
        assertThat(Figures.medians(List.of(Figures.of("rate", 10), Figures.of("rate", 30)))
                        .get("rate"))
                .isEqualTo(20);
    }

    @Test
    void theNumberOfAnEventIsFoundInItsMessageAndARepeatIsCounted() {
        Arrivals arrivals = new Arrivals();
        arrivals.add(new BenchOrder(42).bytes());
        arrivals.add(("{\"eventId\":\"a\",\"payload\":" + new BenchOrder(43).body(60) + "}")
                .getBytes(StandardCharsets.UTF_8));
        arrivals.add(new BenchOrder(42).bytes());
        assertThat(arrivals.times().keySet()).isEqualTo(Set.of(42L, 43L));
        assertThat(arrivals.repeats()).isEqualTo(1);
    }

    @Test
    void everybodysBodyHasTheSameSize() {
        assertThat(new BenchOrder(7).bytes()).hasSize(BenchOrder.BODY_BYTES);
    }

    @Test
    void onlyRulesOutWhatItsTextIsAbout() {
        Options options = new Options(false, 1, 1, 1, List.of("drain", "quorum"), 1, true, false, false);
        List<String> workloads = List.of(DrainWorkload.UNREAD, LoadWorkload.STEADY);
        assertThat(options.wants(DrainWorkload.UNREAD, workloads)).isTrue();
        assertThat(options.wants(LoadWorkload.STEADY, workloads)).isFalse();
        List<String> contenders = List.of("waybill", "gruelbox");
        assertThat(options.wants("gruelbox", contenders)).isTrue();
    }
}
