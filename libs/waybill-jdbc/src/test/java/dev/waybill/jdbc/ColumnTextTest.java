package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.sql.Types;
import org.junit.jupiter.api.Test;

class ColumnTextTest {

    private static final TableShape.Column FIVE = new TableShape.Column("e", Types.VARCHAR, "varchar", 5, true);
    private static final TableShape.Column TINY = new TableShape.Column("e", Types.VARCHAR, "TINYTEXT", 255, true);

    @Test
    void whatFitsStaysAsItIs() {
        assertThat(ColumnText.fit("12345", FIVE, Dialect.MYSQL)).isEqualTo("12345");
    }

    @Test
    void charactersAreCountedAsTheDatabaseCountsThem() {
        assertThat(ColumnText.fit("😀😀😀😀😀😀", FIVE, Dialect.POSTGRESQL)).isEqualTo("😀😀😀😀😀");
        assertThat(ColumnText.fit("😀😀😀😀😀😀", FIVE, Dialect.H2)).isEqualTo("😀😀");
        assertThat(ColumnText.fit("a😀😀😀😀", FIVE, Dialect.H2)).isEqualTo("a😀😀");
    }

    @Test
    void byteColumnsAreCutByBytesBetweenCharacters() {
        String cut = ColumnText.fit("a" + "错".repeat(300), TINY, Dialect.MARIADB);

        assertThat(cut.getBytes(StandardCharsets.UTF_8).length).isEqualTo(253);
        assertThat(cut).endsWith("错");
    }

    @Test
    void whatNoDatabaseStoresIsReplaced() {
        assertThat(ColumnText.fit("a\u0000b", FIVE, Dialect.POSTGRESQL)).isEqualTo("a?b");
        assertThat(ColumnText.fit("a\ud83d", FIVE, Dialect.POSTGRESQL)).isEqualTo("a?");
    }
}
