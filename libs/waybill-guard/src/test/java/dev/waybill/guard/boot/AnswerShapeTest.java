package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.guard.running.HttpReply;
import dev.waybill.guard.running.Service;
import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.server.ResponseStatusException;

class AnswerShapeTest {

    record Order(@NotBlank String name, int quantity) {}

    @RestController
    static class Orders {

        @PostMapping(path = "/orders", consumes = "application/json")
        Answer<Order> create(@Valid @RequestBody Order order) {
            return Answer.ok(order);
        }

        @GetMapping("/orders/{id}")
        Order plain(@PathVariable long id) {
            return new Order("n" + id, 1);
        }

        @GetMapping("/text")
        String text() {
            return "a \"text\" 文";
        }

        @GetMapping("/nothing")
        void nothing() {}

        @GetMapping("/list")
        List<Order> list(@RequestParam int size) {
            return List.of(new Order("a", size));
        }

        @GetMapping("/created")
        @ResponseStatus(HttpStatus.CREATED)
        Order created() {
            return new Order("c", 1);
        }

        @GetMapping("/failing-answer")
        Answer<Object> failingAnswer() {
            return Answer.of(Code.STATE_INVALID, null);
        }

        @GetMapping("/entity")
        ResponseEntity<Order> entity() {
            return ResponseEntity.status(202).body(new Order("e", 1));
        }

        @GetMapping("/refused")
        Order refused() {
            throw new RefusedException(Code.NOT_FOUND);
        }

        @GetMapping("/gone")
        Order gone() {
            throw new ResponseStatusException(HttpStatus.GONE, "secret detail");
        }

        @ResponseStatus(HttpStatus.CONFLICT)
        static class SoldOutException extends RuntimeException {
            private static final long serialVersionUID = 1L;
        }

        @GetMapping("/sold-out")
        Order soldOut() {
            throw new SoldOutException();
        }

        @GetMapping("/sold-out-inside")
        Order soldOutInside() {
            throw new IllegalStateException(new SoldOutException());
        }

        @GetMapping("/no-connection")
        Order noConnection() {
            throw new CannotGetJdbcConnectionException("jdbc:secret", new SQLException("refused"));
        }

        @GetMapping("/no-transaction")
        Order noTransaction() {
            throw new CannotCreateTransactionException("secret");
        }

        @GetMapping("/boom")
        Order boom() {
            throw new IllegalStateException("password=hunter2");
        }
    }

    static class Failing extends OncePerRequestFilter {
        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            switch (request.getRequestURI()) {
                case "/filter/throws" -> throw new IllegalStateException("inside a filter");
                case "/filter/refuses" -> throw new RefusedException(Code.DEPENDENCY_DOWN);
                case "/filter/forbids" -> response.sendError(403, "keep out");
                default -> chain.doFilter(request, response);
            }
        }
    }

    private static Service service;

    @BeforeAll
    static void start() {
        service = Service.with(List.of(Orders.class, Failing.class));
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static void assertAnswer(HttpReply reply, int status, String code) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.code()).isEqualTo(code);
        assertThat(reply.message()).isNotEmpty();
        assertThat(reply.traceId()).isEqualTo(reply.header("X-Trace-Id")).matches("[0-9a-f]{32}");
        assertThat(reply.header("Content-Type")).startsWith("application/json");
    }

    @Test
    void anAnswerIsCompletedWithMessageAndTraceId() {
        HttpReply reply = service.post("/orders", "{\"name\":\"x\",\"quantity\":2}");
        assertAnswer(reply, 200, "00000");
        assertThat(reply.message()).isEqualTo("成功");
        assertThat(reply.rawData()).isEqualTo("{\"name\":\"x\",\"quantity\":2}");
    }

    @Test
    void plainValuesAreWrapped() {
        assertAnswer(service.get("/orders/7"), 200, "00000");
        assertThat(service.get("/orders/7").data().get("name").asString()).isEqualTo("n7");
        assertThat(service.get("/list?size=3").rawData()).isEqualTo("[{\"name\":\"a\",\"quantity\":3}]");
        HttpReply text = service.get("/text");
        assertAnswer(text, 200, "00000");
        assertThat(text.data().asString()).isEqualTo("a \"text\" 文");
        assertAnswer(service.get("/nothing"), 200, "00000");
        assertThat(service.get("/nothing").data().isNull()).isTrue();
    }

    @Test
    void statusesOfTheHandlerStay() {
        assertAnswer(service.get("/created"), 201, "00000");
        assertAnswer(service.get("/entity"), 202, "00000");
        assertAnswer(service.get("/failing-answer"), 409, "STATE_INVALID");
    }

    @Test
    void whatTheWebLayerRefusesHasTheSameShape() {
        assertAnswer(service.get("/nowhere"), 404, "NOT_FOUND");
        assertAnswer(service.get("/error"), 404, "NOT_FOUND");
        HttpReply notAllowed = service.get("/orders");
        assertAnswer(notAllowed, 405, "A0400");
        assertThat(notAllowed.header("Allow")).isEqualTo("POST");
        HttpRequest.Builder form = service.request("/orders")
                .POST(HttpRequest.BodyPublishers.ofString("a=b"))
                .header("Content-Type", "text/csv");
        assertAnswer(service.send(form), 415, "A0400");
        assertAnswer(service.get("/orders/7", "Accept", "application/xml"), 406, "A0400");
        assertAnswer(service.get("/orders/seven"), 400, "A0400");
        assertAnswer(service.get("/list"), 400, "A0400");
        assertAnswer(service.post("/orders", "{\"name\":"), 400, "A0400");
        assertAnswer(service.post("/orders", "{\"name\":\"\",\"quantity\":1}"), 400, "A0400");
        assertAnswer(service.post("/orders", "{\"name\":\"x\",\"quantity\":{}}"), 400, "A0400");
    }

    @Test
    void failuresLeakNothing() {
        HttpReply boom = service.get("/boom");
        assertAnswer(boom, 500, "B0001");
        assertThat(boom.body()).doesNotContain("hunter2").doesNotContain("Exception");
        HttpReply gone = service.get("/gone");
        assertAnswer(gone, 410, "NOT_FOUND");
        assertThat(gone.body()).doesNotContain("secret");
        assertAnswer(service.get("/refused"), 404, "NOT_FOUND");
    }

    @Test
    void anExceptionKeepsTheStatusThatItDeclares() {
        assertAnswer(service.get("/sold-out"), 409, "STATE_INVALID");
        assertAnswer(service.get("/sold-out-inside"), 409, "STATE_INVALID");
    }

    @Test
    void aDatabaseThatCannotBeReachedIsADependencyThatIsDown() {
        for (String path : List.of("/no-connection", "/no-transaction")) {
            HttpReply away = service.get(path);
            assertAnswer(away, 503, "C0001");
            assertThat(away.body()).doesNotContain("secret");
        }
    }

    @Test
    void failuresInsideFiltersHaveTheSameShape() {
        assertAnswer(service.get("/filter/throws"), 500, "B0001");
        assertAnswer(service.get("/filter/refuses"), 503, "C0001");
        assertAnswer(service.get("/filter/forbids"), 403, "A0301");
    }

    @Test
    void messagesFollowTheCallersLanguage() {
        assertThat(service.get("/nowhere").message()).isEqualTo("资源不存在");
        assertThat(service.get("/nowhere", "Accept-Language", "en-GB,fr;q=0.5").message())
                .isEqualTo("There is no such resource");
        assertThat(service.get("/nowhere", "Accept-Language", "zh-TW").message())
                .isEqualTo("资源不存在");
        assertThat(service.get("/nowhere", "Accept-Language", "fr").message()).isEqualTo("资源不存在");
        assertThat(service.get("/nowhere", "Accept-Language", ";;;q=x").message())
                .isEqualTo("资源不存在");
    }

    @Test
    void codesAreRenamedByConfiguration() {
        try (Service renamed = Service.with(List.of(Orders.class), "waybill.guard.codes.NOT_FOUND=HTTP-404")) {
            assertAnswer(renamed.get("/nowhere"), 404, "HTTP-404");
            assertAnswer(renamed.get("/refused"), 404, "HTTP-404");
        }
    }
}
