package dev.waybill.servicetestkit;

import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A service's reply. Its body is JSON, as a rule with the fields code, message, data and traceId; amounts keep their digits. */
public record HttpReply(int status, HttpHeaders headers, JsonNode body) {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    static HttpReply of(HttpResponse<String> response) {
        return new HttpReply(response.statusCode(), response.headers(), JSON.readTree(response.body()));
    }

    public String code() {
        return body.path("code").asString("");
    }

    public JsonNode data() {
        return body.path("data");
    }

    /** A text field of the data; empty where it is absent. */
    public String text(String field) {
        return data().path(field).asString("");
    }

    /** A whole number of the data. */
    public long number(String field) {
        return data().path(field).asLong();
    }

    public long id() {
        return number("id");
    }

    public String orderNo() {
        return text("orderNo");
    }

    /** The data's status: an order's or a reservation's. */
    public String dataStatus() {
        return text("status");
    }

    /** The field that a refusal names. */
    public String field() {
        return text("field");
    }
}
