package dev.waybill.guard.running;

import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Handlers that count what they did, so that a test can see whether one ran behind an error answer. */
@RestController
public class Deeds {

    private static final AtomicInteger DONE = new AtomicInteger();

    /** A rule of the application itself, answered by its own exception handler. */
    static final class BrokenRule extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    public static int done() {
        return DONE.get();
    }

    @PostMapping("/deeds")
    public Answer<Integer> body(@RequestBody String text) {
        DONE.incrementAndGet();
        return Answer.ok(text.length());
    }

    @CrossOrigin("http://friend")
    @PostMapping("/deeds/text")
    public String text(@RequestBody Map<String, Object> any) {
        DONE.incrementAndGet();
        return "done " + any.size();
    }

    @PostMapping("/deeds/entity")
    public ResponseEntity<Answer<Integer>> entity() {
        DONE.incrementAndGet();
        return ResponseEntity.ok(Answer.ok(1));
    }

    @PostMapping("/deeds/later")
    public Callable<Map<String, Object>> later(@RequestBody String text) {
        return () -> {
            DONE.incrementAndGet();
            return Map.of("length", text.length());
        };
    }

    @PostMapping("/deeds/anything")
    public Object anything() {
        DONE.incrementAndGet();
        return Map.of("a", 1);
    }

    @PostMapping("/deeds/refused")
    public Answer<Integer> refused() {
        throw new BrokenRule();
    }

    @GetMapping("/deeds/{id}")
    public Answer<String> find(@PathVariable String id) {
        return Answer.ok(id);
    }

    @GetMapping(path = "/image", produces = "image/png")
    public byte[] image() {
        return new byte[] {1, 2, 3};
    }

    @GetMapping(path = "/image/refused", produces = "image/png")
    public byte[] refusedImage() {
        throw new BrokenRule();
    }

    @GetMapping("/bytes")
    public byte[] bytes() {
        return new byte[] {1, 2, 3};
    }

    @ExceptionHandler
    ResponseEntity<Answer<Map<String, String>>> broken(BrokenRule broken) {
        return ResponseEntity.badRequest().body(Answer.of(Code.BAD_INPUT, Map.of("rule", "kept")));
    }
}
