package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class CanonicalJsonTest {

    private static String canonical(String json) {
        return CanonicalJson.of(JsonMapper.shared().readTree(json));
    }

    @Test
    void everyWayToWriteTheSameIsOneText() {
        String one = canonical("{\"a\":1,\"b\":[{\"c\":10,\"d\":\"x\"}],\"e\":null}");
        for (String same : List.of(
                "{\"b\":[{\"d\":\"x\",\"c\":10.0}],\"a\":1.00}",
                " { \"a\" : 1e0, \"b\" : [ { \"c\" : 1E+1, \"d\" : \"\\u0078\" } ] } ")) {
            assertThat(canonical(same)).isEqualTo(one);
        }
    }

    @Test
    void whatDiffersHasTextsThatDiffer() {
        List<String> all = List.of(
                "{}",
                "[]",
                "null",
                "\"\"",
                "1",
                "\"1\"",
                "true",
                "\"true\"",
                "[1,2]",
                "[2,1]",
                "[[1],2]",
                "[null]",
                "{\"a\":1}",
                "{\"a\":\"1\"}",
                "{\"a\":{\"b\":1}}",
                "{\"a\":{},\"b\":1}",
                "{\"a=1,1:b\":2}",
                "{\"a\":1,\"b\":2}");
        assertThat(all.stream().map(CanonicalJsonTest::canonical)).doesNotHaveDuplicates();
    }

    @Test
    void aHugeNumberCostsNothing() {
        BigDecimal huge = new BigDecimal("1E+999999999");
        assertThat(CanonicalJson.of(JsonMapper.shared().valueToTree(huge))).isEqualTo("1E+999999999");
    }
}
