package dev.waybill.starter.h2;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurableH2UrlTest {

    @ParameterizedTest
    @CsvSource({
        "jdbc:h2:file:./a/b;LOCK_TIMEOUT=1, jdbc:h2:async:./a/b;LOCK_TIMEOUT=1;WRITE_DELAY=0;RETENTION_TIME=5000",
        "jdbc:h2:~/b, jdbc:h2:async:~/b;WRITE_DELAY=0;RETENTION_TIME=5000",
        "jdbc:h2:/a/b;retention_time=9, jdbc:h2:async:/a/b;retention_time=9;WRITE_DELAY=0",
        "jdbc:h2:async:/a/b, jdbc:h2:async:/a/b;WRITE_DELAY=0;RETENTION_TIME=5000",
    })
    void aFileIsWrittenBeforeACommitIsAnswered(String given, String durable) {
        assertThat(DurableH2Url.of(given)).isEqualTo(durable);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:mem:x;DB_CLOSE_DELAY=-1",
                "jdbc:h2:tcp://host/~/b",
                "jdbc:h2:ssl://host/~/b",
                "jdbc:h2:zip:~/db.zip!/b",
                "jdbc:h2:file:./b;write_delay=100",
                "jdbc:mariadb://localhost/b",
            })
    void everythingElseIsLeftAlone(String given) {
        assertThat(DurableH2Url.of(given)).isEqualTo(given);
    }
}
