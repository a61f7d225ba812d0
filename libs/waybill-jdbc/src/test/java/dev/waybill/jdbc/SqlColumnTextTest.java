package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.sql.Types;
import org.junit.jupiter.api.Test;

class SqlColumnTextTest {

    private static final SqlTableMetadata.Column FIVE =
            new SqlTableMetadata.Column("e", Types.VARCHAR, "varchar", 5, true);
    private static final SqlTableMetadata.Column TINY =
            new SqlTableMetadata.Column("e", Types.VARCHAR, "TINYTEXT", 255, true);

    @Test
    void whatFitsStaysAsItIs() {
        assertThat(SqlColumnText.fit("12345", FIVE, Dialect.MYSQL)).isEqualTo("12345");
    }

    @Test
    void charactersAreCountedAsTheDatabaseCountsThem() {
        assertThat(SqlColumnText.fit("😀😀😀😀😀😀", FIVE, Dialect.POSTGRESQL)).isEqualTo("😀😀😀😀😀");
        assertThat(SqlColumnText.fit("😀😀😀😀😀😀", FIVE, Dialect.H2)).isEqualTo("😀😀");
        assertThat(SqlColumnText.fit("a😀😀😀😀", FIVE, Dialect.H2)).isEqualTo("a😀😀");
    }

    @Test
    void byteColumnsAreCutByBytesBetweenCharacters() {
        String cut = SqlColumnText.fit("a" + "错".repeat(300), TINY, Dialect.MARIADB);

        assertThat(cut.getBytes(StandardCharsets.UTF_8).length).isEqualTo(253);
        assertThat(cut).endsWith("错");
    }

    @Test
    void whatNoDatabaseStoresIsReplaced() {
        assertThat(SqlColumnText.fit("a\u0000b", FIVE, Dialect.POSTGRESQL)).isEqualTo("a?b");
        assertThat(SqlColumnText.fit("a\ud83d", FIVE, Dialect.POSTGRESQL)).isEqualTo("a?");
    }
}
