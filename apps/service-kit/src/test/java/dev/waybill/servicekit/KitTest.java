package dev.waybill.servicekit;

import static dev.waybill.servicetestkit.ReplyAssertions.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.RunningService;
import io.micrometer.tracing.Tracer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.TimeZone;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is not about rights: tables, times, the clock, a failing outbox. */
class KitTest {

    private static RunningService service;

    @BeforeAll
    static void start() {
        service = KitService.open("waybill.outbox.layout=outbox_events", "waybill.inbox.layout=event_consume_log");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void theTablesAreThoseOfTheLayoutsInTheSettings() {
        assertThat(service.count("SELECT COUNT(*) FROM outbox_events")).isZero();
        assertThat(service.count("SELECT COUNT(*) FROM event_consume_log")).isZero();
        assertThat(service.count(
                        "SELECT COUNT(*) FROM \"flyway_schema_history\" WHERE \"version\" = '2' AND \"success\""))
                .isEqualTo(1);
    }

    @Test
    void tracesAreOffWhereNobodySaysWhereTheyGo() {
        assertThat(service.bean(Tracer.class)).isSameAs(Tracer.NOOP);
    }

    @Test
    void anUnknownLayoutStopsTheStartAndIsNamed() {
        assertThatThrownBy(() -> KitService.open("waybill.outbox.layout=mine"))
                .hasRootCauseInstanceOf(IllegalArgumentException.class)
                .hasStackTraceContaining("waybill.outbox.layout");
    }

    /** The zones of the process and of the column's reader differ, as those of a process and a server may. */
    @ParameterizedTest
    @ValueSource(strings = {"UTC", "Asia/Shanghai", "America/St_Johns"})
    void aTimeIsReadAsItWasWrittenWhateverTheZone(String zone) throws SQLException {
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        Instant time = Instant.parse("2026-03-29T01:30:00.123999Z");
        try (Connection connection = service.bean(DataSource.class).getConnection();
                PreparedStatement select = connection.prepareStatement(
                        "SELECT CAST(? AS TIMESTAMP(3)) AS written, CAST(NULL AS TIMESTAMP(3)) AS absent")) {
            select.setObject(1, UtcTimes.column(time));
            try (ResultSet row = select.executeQuery()) {
                row.next();
                assertThat(UtcTimes.read(row, "written")).isEqualTo("2026-03-29T01:30:00.123Z");
                assertThat(UtcTimes.readIfThere(row, "absent")).isNull();
                assertThatThrownBy(() -> UtcTimes.read(row, "absent")).isInstanceOf(SQLException.class);
            }
        } finally {
            TimeZone.setDefault(before);
        }
    }

    @Test
    void aTestsOwnClockWins() {
        assertThat(service.bean(Clock.class)).isEqualTo(Clock.systemUTC());
        Clock fixed = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
        try (RunningService other = new RunningService(
                KitService.application(),
                KitService.settings(),
                beans -> beans.registerBean("fixedClock", Clock.class, () -> fixed))) {
            assertThat(other.bean(Clock.class)).isSameAs(fixed);
        }
    }

    @Test
    void aFailingOutboxIsAnsweredInTheOneShape() {
        assertRefused(service.get("/store/UNAVAILABLE"), 503, "C0001");
        assertRefused(service.get("/store/CONFLICT"), 500, "B0001");
        HttpReply refused = service.get("/publish");
        assertRefused(refused, 500, "B0001");
        assertThat(refused.body().toString()).doesNotContain("secret");
    }

    @Test
    void openApiDoesNotAskForTheCaller() {
        assertThat(service.get("/v3/api-docs").body().path("paths").path("/who").toString())
                .isNotEmpty()
                .doesNotContain("caller", "unrestricted\",\"in\"");
    }
}
