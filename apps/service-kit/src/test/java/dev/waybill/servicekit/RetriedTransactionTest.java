package dev.waybill.servicekit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.servicetestkit.RunningService;
import dev.waybill.store.StoreException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;

class RetriedTransactionTest {

    private static RunningService service;
    private RacingDeeds deeds;

    @BeforeAll
    static void start() {
        service = KitService.open();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void startAnew() {
        deeds = service.bean(RacingDeeds.class);
        deeds.startAnew();
    }

    static RuntimeException[] lostRaces() {
        return new RuntimeException[] {
            new DuplicateKeyException("taken"),
            new CannotAcquireLockException("deadlock"),
            new StoreException(StoreException.Reason.CONFLICT, "deadlock", null)
        };
    }

    @ParameterizedTest
    @MethodSource("lostRaces")
    void aLostRaceRunsAgainInATransactionOfItsOwn(RuntimeException lost) {
        assertThat(deeds.write(2, lost)).isEqualTo(3);
        assertThat(deeds.rows()).as("the two that lost were rolled back").isEqualTo(1);
    }

    @Test
    void theLastFailureIsSeenAsItWasThrown() {
        DuplicateKeyException lost = new DuplicateKeyException("taken");
        assertThatThrownBy(() -> deeds.write(Integer.MAX_VALUE, lost)).isSameAs(lost);
        assertThat(deeds.runs()).isEqualTo(1 + RetriedTransaction.RETRIES);
        assertThat(deeds.rows()).isZero();
    }

    @Test
    void otherFailuresAreNotRepeated() {
        DataIntegrityViolationException broken = new DataIntegrityViolationException("null");
        assertThatThrownBy(() -> deeds.write(1, broken)).isSameAs(broken);
        StoreException away = new StoreException(StoreException.Reason.UNAVAILABLE, "away", null);
        assertThat(deeds.runs()).isEqualTo(1);
        deeds.startAnew();
        assertThatThrownBy(() -> deeds.write(1, away)).isSameAs(away);
        assertThat(deeds.runs()).isEqualTo(1);
    }
}
