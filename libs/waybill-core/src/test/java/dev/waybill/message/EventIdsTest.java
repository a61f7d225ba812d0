package dev.waybill.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EventIdsTest {

    private Instant now = Instant.parse("2026-02-04T10:30:00Z");

    private final Clock clock = new Clock() {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    };

    private final EventIds ids = new EventIds(clock, new Random(7));

    @Test
    void anIdIsAVersionSevenUuidOfItsMillisecond() {
        UUID id = UUID.fromString(ids.make());

        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(now.toEpochMilli());
    }

    @Test
    void everyBitBehindTheTimeIsLeftToChanceExceptTheVariant() {
        long ever = 0;
        long always = -1;
        for (String id : make(1_000)) {
            long low = UUID.fromString(id).getLeastSignificantBits();
            ever |= low;
            always &= low;
        }

        assertThat(ever).isEqualTo(0xbfff_ffff_ffff_ffffL);
        assertThat(always).isEqualTo(0x8000_0000_0000_0000L);
    }

    @Test
    void idsOfOneMillisecondSortInTheOrderOfTheirMaking() {
        assertSortedAndUnique(make(20_000));
    }

    @Test
    void idsSortAlsoWhenTheClockStepsBack() {
        List<String> made = make(10);
        now = now.minusSeconds(60);
        made.addAll(make(10));
        now = now.plusSeconds(120);
        made.addAll(make(10));

        assertSortedAndUnique(made);
    }

    private List<String> make(int count) {
        List<String> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            made.add(ids.make());
        }
        return made;
    }

    private static void assertSortedAndUnique(List<String> made) {
        assertThat(made).isSorted();
        assertThat(new HashSet<>(made)).hasSameSizeAs(made);
    }
}
