package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.guard.running.HttpReply;
import dev.waybill.guard.running.Service;
import dev.waybill.guard.web.InvalidFieldException;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.validation.annotation.Validated;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A bad request is told which field breaks which rule, and never its own text. */
class BrokenRuleTest {

    private static final String SECRET = "caller-text";
    private static final String QUOTING = "is not ${validatedValue}";

    record Item(
            @NotNull @DecimalMin("0.01") BigDecimal price,
            @Size(max = 3, message = QUOTING) String unit) {}

    record Basket(
            @NotBlank String name,
            @Valid List<Item> items,
            Map<String, @Valid Item> extras,
            Map<String, Integer> counts) {}

    record Filter(int size, @Size(max = 3) String tag) {}

    @RestController
    static class Baskets {

        @PostMapping("/baskets")
        String create(@Valid @RequestBody Basket basket) {
            return basket.name();
        }

        @PostMapping("/lists")
        String list(@RequestBody List<@Valid Item> items) {
            return "size " + items.size();
        }

        @GetMapping("/pages")
        String page(@RequestParam("page-size") @Max(100) int size) {
            return "size " + size;
        }

        @GetMapping("/filtered")
        String filtered(@Valid Filter filter) {
            return "size " + filter.size();
        }

        @GetMapping("/headed")
        String headed(@RequestHeader("X-Tag") @Size(max = 3) String tag) {
            return "ran";
        }

        @GetMapping("/ruled")
        String ruled() {
            throw new InvalidFieldException("items[2].price", "must not be above the limit");
        }
    }

    @RestController
    @Validated
    static class ValidatedByProxy {

        @GetMapping("/proxied")
        public String page(@RequestParam @Max(100) int size) {
            return "size " + size;
        }

        @PostMapping("/proxied")
        public String create(@RequestBody @Valid Basket basket) {
            return basket.name();
        }
    }

    private static Service service;

    @BeforeAll
    static void start() {
        service = Service.with(
                List.of(Baskets.class, ValidatedByProxy.class),
                "spring.jackson.deserialization.fail-on-unknown-properties=true");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static void assertBroken(HttpReply reply, String field, String rule) {
        JsonNode body = new JsonMapper().readTree(reply.body());
        assertThat(reply.status()).as(reply.body()).isEqualTo(400);
        assertThat(body.path("code").asString()).isEqualTo("A0400");
        assertThat(body.path("data").path("field").asString(""))
                .as(reply.body())
                .isEqualTo(field);
        assertThat(body.path("data").path("rule").asString("")).as(reply.body()).isEqualTo(rule);
        assertThat(reply.body()).doesNotContain(SECRET);
    }

    private static void assertNoField(HttpReply reply) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(400);
        assertThat(new JsonMapper().readTree(reply.body()).path("data").isNull())
                .as(reply.body())
                .isTrue();
        assertThat(reply.body()).doesNotContain(SECRET);
    }

    private static HttpReply post(String json) {
        return service.post("/baskets", json, "Accept-Language", "en");
    }

    @Test
    void aFieldOfAListsElementIsNamedByItsPath() {
        assertBroken(
                post("{\"name\":\"a\",\"items\":[{\"price\":1},{\"price\":0}]}"),
                "items[1].price",
                "must be greater than or equal to 0.01");
    }

    @Test
    void theFirstByNameIsToldOfSeveral() {
        assertBroken(post("{\"name\":\" \",\"items\":[{\"price\":null}]}"), "items[0].price", "must not be null");
        assertBroken(post("{\"name\":\" \"}"), "name", "must not be blank");
    }

    @Test
    void aRuleThatQuotesTheValueIsNotTold() {
        assertBroken(
                post("{\"name\":\"a\",\"items\":[{\"price\":1,\"unit\":\"" + SECRET + "\"}]}"),
                "items[0].unit",
                "is not valid");
    }

    @Test
    void theKeyOfAMapIsTheCallersAndNotTold() {
        for (String key : List.of(SECRET, SECRET + "]", "].x[" + SECRET, "0].x[" + SECRET, SECRET + ".y")) {
            assertBroken(
                    post("{\"name\":\"a\",\"extras\":{\"" + key + "\":{\"price\":0}}}"),
                    "extras[].price",
                    "must be greater than or equal to 0.01");
            assertBroken(post("{\"name\":\"a\",\"counts\":{\"" + key + "\":\"x\"}}"), "counts", "has the wrong type");
        }
    }

    @Test
    void aValueOfAnotherTypeIsNamed() {
        assertBroken(
                post("{\"name\":\"a\",\"items\":[{\"price\":\"" + SECRET + "\"}]}"),
                "items[0].price",
                "has the wrong type");
        assertBroken(post("{\"name\":[\"" + SECRET + "\"]}"), "name", "has the wrong type");
        assertBroken(service.get("/pages?page-size=" + SECRET), "page-size", "has the wrong type");
        assertBroken(service.get("/filtered?size=" + SECRET), "size", "has the wrong type");
    }

    @Test
    void anUnknownPropertyIsTheCallersTextAndNotTold() {
        assertNoField(post("{\"" + SECRET + "\":1}"));
        assertBroken(post("{\"name\":\"a\",\"items\":[{\"" + SECRET + "\":1}]}"), "items[0]", "has the wrong type");
        assertNoField(post(SECRET));
    }

    @Test
    void parametersAndHeadersAreNamedAsTheCallerWritesThem() {
        assertBroken(
                service.get("/pages?page-size=101", "Accept-Language", "en"),
                "page-size",
                "must be less than or equal to 100");
        assertBroken(service.get("/pages"), "page-size", "is missing");
        assertBroken(service.get("/headed"), "X-Tag", "is missing");
        assertBroken(
                service.get("/headed", "X-Tag", SECRET, "Accept-Language", "en"),
                "X-Tag",
                "size must be between 0 and 3");
        assertBroken(
                service.get("/filtered?size=1&tag=" + SECRET, "Accept-Language", "en"),
                "tag",
                "size must be between 0 and 3");
    }

    @Test
    void theElementsOfAListAsBodyAreNamedByTheirPlace() {
        assertBroken(
                service.post("/lists", "[{\"price\":1},{\"price\":0}]", "Accept-Language", "en"),
                "items[1].price",
                "must be greater than or equal to 0.01");
    }

    @Test
    void whatAProxyValidatesIsNamedLikewise() {
        assertBroken(
                service.get("/proxied?size=101", "Accept-Language", "en"), "size", "must be less than or equal to 100");
        assertBroken(
                service.post("/proxied", "{\"name\":\"a\",\"items\":[{\"price\":0}]}", "Accept-Language", "en"),
                "items[0].price",
                "must be greater than or equal to 0.01");
    }

    @Test
    void aServicesOwnRuleIsToldLikewise() {
        assertBroken(service.get("/ruled"), "items[2].price", "must not be above the limit");
    }

    @Test
    void theRuleIsInTheCallersLanguage() {
        assertBroken(service.post("/baskets", "{\"name\":\" \"}", "Accept-Language", "zh-CN"), "name", "不能为空");
    }
}
