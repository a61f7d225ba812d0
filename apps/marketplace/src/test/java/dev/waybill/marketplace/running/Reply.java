package dev.waybill.marketplace.running;

import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An answer of the service's. */
public record Reply(int status, HttpHeaders headers, JsonNode body) {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(tools.jackson.databind.DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    static Reply of(HttpResponse<String> response) {
        return new Reply(response.statusCode(), response.headers(), JSON.readTree(response.body()));
    }

    public String code() {
        return body.path("code").asString();
    }

    public JsonNode data() {
        return body.path("data");
    }

    public long id() {
        return data().path("id").asLong();
    }

    public String text(String field) {
        return data().path(field).asString("");
    }

    public String field() {
        return data().path("field").asString("");
    }
}
