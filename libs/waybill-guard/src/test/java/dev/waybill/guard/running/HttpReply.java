package dev.waybill.guard.running;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An answer, checked for its shape when it is read. */
public record HttpReply(int status, HttpHeaders headers, String body) {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Set<String> FIELDS = Set.of("code", "message", "data", "traceId");

    static HttpReply of(HttpResponse<String> response) {
        return new HttpReply(response.statusCode(), response.headers(), response.body());
    }

    public JsonNode json() {
        JsonNode json = JSON.readTree(body);
        assertThat(json.propertyNames()).as(body).containsExactlyInAnyOrderElementsOf(FIELDS);
        return json;
    }

    public String code() {
        return json().get("code").asString();
    }

    public String message() {
        return json().get("message").asString();
    }

    public String traceId() {
        return json().get("traceId").asString();
    }

    public JsonNode data() {
        return json().get("data");
    }

    /** The characters of {@code data} as they came: the fields are in a fixed order. */
    public String rawData() {
        return body.substring(body.indexOf(",\"data\":") + 8, body.lastIndexOf(",\"traceId\":"));
    }

    public String header(String name) {
        return headers.firstValue(name).orElse("");
    }
}
