package dev.waybill.servicetestkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The check finds what a document forbids, and nothing else. */
class AsyncApiDocumentTest {

    private static final String VALID = """
            {"eventId":"e-1","eventType":"StockReserved","aggregateType":"Reservation","aggregateId":"ORD1","bizKey":"ORD1",\
            "schemaVersion":1,"occurredAt":"2026-02-04T10:30:00Z","traceId":null,"headers":{},"payload":{"orderNo":"ORD1",\
            "items":[{"warehouseId":1,"skuId":"TEA","quantity":2}]}}""";

    private AsyncApiDocument inventory;

    @BeforeEach
    void read() throws IOException {
        inventory = AsyncApiDocument.read("docs/events/inventory.asyncapi.yaml");
    }

    private List<String> violations(String body) {
        return inventory.violations("stock", "STOCK_RESERVED", body.getBytes(UTF_8));
    }

    @Test
    void aMessageThatKeepsEveryRuleHasNoViolations() {
        assertThat(violations(VALID)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"eventId\":\"e-1\",                      |                                 | : required property 'eventId' not found",
                "\"skuId\":\"TEA\",                        |                                 | /payload/items/0: required property 'skuId' not found",
                "\"orderNo\":\"ORD1\"                      | \"orderNo\":7                   | /payload/orderNo: integer found, string expected",
                "\"orderNo\":\"ORD1\"                      | \"orderNo\":null                | /payload/orderNo: null found, string expected",
                "\"quantity\":2                            | \"quantity\":\"2\"              | /payload/items/0/quantity: string found, integer expected",
                "\"quantity\":2                            | \"quantity\":1.5                | /payload/items/0/quantity: number found, integer expected",
                "\"quantity\":2                            | \"quantity\":0                  | /payload/items/0/quantity: must have a minimum value of 1",
                "\"headers\":{}                            | \"headers\":{},\"more\":1       | : property 'more' is not defined in the schema and the schema does not allow additional properties",
                "\"quantity\":2                            | \"quantity\":2,\"price\":1      | /payload/items/0: property 'price' is not defined in the schema and the schema does not allow additional properties",
                "StockReserved                             | StockLost                       | /eventType: must be the constant value 'StockReserved'",
                "2026-02-04T10:30:00Z                      | yesterday                       | /occurredAt: does not match the date-time pattern must be a valid RFC 3339 date-time",
                "2026-02-04T10:30:00Z                      | 2026-02-30T10:30:00Z            | /occurredAt: does not match the date-time pattern must be a valid RFC 3339 date-time",
            })
    void aMessageThatBreaksOneRuleHasOneViolation(String part, String otherwise, String violation) {
        assertThat(VALID).contains(part);
        assertThat(violations(VALID.replace(part, otherwise == null ? "" : otherwise)))
                .containsExactly(violation);
    }

    @Test
    void anEmptyListIsAViolationWhereOneItemIsRequired() {
        assertThat(violations(VALID.replaceAll("\"items\":\\[.*]", "\"items\":[]")))
                .containsExactly("/payload/items: must have at least 1 items but found 0");
    }

    @Test
    void aPatternHoldsForTheWholeText() {
        String created = VALID.replace("StockReserved", "OrderCreated");
        assertThat(inventory.violations("orders", "ORDER_CREATED", created.getBytes(UTF_8)))
                .isEmpty();
        assertThat(inventory.violations(
                        "orders",
                        "ORDER_CREATED",
                        created.replace("TEA", "TEA OR 1=1").getBytes(UTF_8)))
                .containsExactly("/payload/items/0/skuId: does not match the regex pattern ^[A-Za-z0-9._-]{1,64}$");
    }

    @Test
    void everyViolationIsListed() throws IOException {
        AsyncApiDocument order = AsyncApiDocument.read("docs/events/order.asyncapi.yaml");
        String body = """
                {"eventId":"x","eventType":"OrderPaid","more":1,\
                "payload":{"orderNo":"ORD1","amount":"1","items":[{"quantity":0}]}}""";
        assertThat(order.violations("orders", "OrderCreated", body.getBytes(UTF_8)))
                .contains(
                        ": required property 'traceId' not found",
                        ": property 'more' is not defined in the schema and the schema does not allow additional properties",
                        "/eventType: must be the constant value 'OrderCreated'",
                        "/payload: required property 'userId' not found",
                        "/payload/amount: string found, number expected",
                        "/payload/items/0/quantity: must have a minimum value of 1");
    }

    @Test
    void aChannelOrMessageThatTheDocumentLacksIsAnError() {
        assertThat(inventory.address("stock")).isEqualTo("STOCK_TOPIC");
        assertThatThrownBy(() -> inventory.address("nothing")).hasMessageContaining("/channels/nothing");
        assertThatThrownBy(() -> inventory.violations("stock", "STOCK_LOST", VALID.getBytes(UTF_8)))
                .hasMessageContaining("inventory.asyncapi.yaml has no /channels/stock/messages/STOCK_LOST");
    }
}
